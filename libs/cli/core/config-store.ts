import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder, writeAtomically } from './atomic-file.js';
import { codeOf, failed } from './failure.js';
import { FileLock } from './file-lock.js';

/** A sign-in at one instance. */
export interface StoredLogin {
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** ISO time by the local clock. */
  readonly expiresAt: string;
  readonly scope: string;
  readonly account: { readonly id: string; readonly name: string };
}

export interface StoredConfig {
  readonly current?: string;
  readonly bridgeId?: string;
  readonly instances: Readonly<Record<string, StoredLogin>>;
  /** Whatever later versions keep here is kept. */
  readonly [key: string]: unknown;
}

const LOCK_WAIT_MS = 35_000;
const EMPTY: StoredConfig = { instances: {} };

/** `config.json` in the config directory (`cli.md` 3): the one place that holds tokens. */
export class ConfigStore {
  constructor(readonly folder: string) {}

  get path(): string {
    return join(this.folder, 'config.json');
  }

  /** What is stored now. A broken file is moved away and counts as not signed in. @throws Failure when unreadable. */
  read(): StoredConfig {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return EMPTY;
      throw failed(`cannot read ${this.path} (${codeOf(error)})`, 'make it readable for your user');
    }
    const parsed = parse(text);
    if (parsed) return parsed;
    renameSync(this.path, `${this.path}.bad`);
    return EMPTY;
  }

  login(url: string): StoredLogin | null {
    return this.read().instances[url] ?? null;
  }

  /** Stores a new sign-in, makes its instance the current one, and keeps `bridgeId`. */
  async putLogin(url: string, login: StoredLogin): Promise<void> {
    await this.change((config) => ({
      ...config,
      current: url,
      bridgeId: config.bridgeId ?? randomUUID(),
      instances: { ...config.instances, [url]: login },
    }));
  }

  /** Forgets sign-ins; `bridgeId` stays. */
  async removeLogins(urls: readonly string[]): Promise<void> {
    await this.change((config) => {
      const instances = Object.fromEntries(
        Object.entries(config.instances).filter(([url]) => !urls.includes(url)),
      );
      const { current, ...rest } = config;
      const left = current && current in instances ? current : Object.keys(instances)[0];
      return { ...rest, ...(left ? { current: left } : {}), instances };
    });
  }

  /** Runs `work` while no other process changes the file. @throws Failure when a live process holds the lock. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    makePrivateFolder(this.folder);
    const path = join(this.folder, 'config.lock');
    const lock = await FileLock.take(path, LOCK_WAIT_MS);
    if (!lock) {
      throw failed(
        `another process (${FileLock.holder(path)?.pid ?? 'unknown'}) has held ${path} for 35 s`,
        'end that process and try again',
      );
    }
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  /** Replaces the tokens of a sign-in; the caller holds the lock. */
  replaceLogin(url: string, login: StoredLogin): void {
    const config = this.read();
    this.write({ ...config, instances: { ...config.instances, [url]: login } });
  }

  private change(next: (config: StoredConfig) => StoredConfig): Promise<void> {
    return this.locked(async () => this.write(next(this.read())));
  }

  private write(config: StoredConfig): void {
    writeAtomically(this.path, `${JSON.stringify(config, null, 2)}\n`);
    chmodSync(this.path, 0o600);
  }
}

function parse(text: string): StoredConfig | null {
  try {
    const value = JSON.parse(text) as StoredConfig | null;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const { instances } = value;
    if (instances === undefined) return { ...value, instances: {} };
    return instances !== null && typeof instances === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Folder of `config.json` when nobody names another. */
export function defaultConfigFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (environment.LOUPE_CONFIG_DIR) return environment.LOUPE_CONFIG_DIR;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'loupe');
  return join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'loupe');
}
