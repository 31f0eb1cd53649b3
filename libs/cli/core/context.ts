import { ApiClient } from './api-client.js';
import { ConfigStore, defaultConfigFolder } from './config-store.js';
import { failed, notSignedIn, wrongUse } from './failure.js';
import { instanceUrl } from './instance-url.js';
import { PROJECT_FILE, type ProjectFile, readProjectFile } from './project-file.js';
import { SignIn } from './sign-in.js';
import { type OutputChoices, Terminal } from './terminal.js';
import { type Fetch, webFetch } from './web.js';

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly url?: string;
  readonly configDir?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  /** Commander's name of `--no-input`. */
  readonly input?: boolean;
}

export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** What a command works with: flags, environment, the stored sign-in, and the ways out. */
export class CommandContext {
  readonly terminal: Terminal;
  readonly store: ConfigStore;
  readonly fetch: Fetch;
  private project: ProjectFile | null = null;

  constructor(
    readonly flags: GlobalFlags,
    readonly world: World,
  ) {
    const choices: OutputChoices = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      debug: flags.debug === true,
      noInput: flags.input === false,
    };
    this.terminal = new Terminal(world.stdout, world.stderr, choices, world.environment);
    this.store = new ConfigStore(flags.configDir ?? defaultConfigFolder(world.environment));
    this.fetch = webFetch(world.environment, this.terminal);
  }

  get folder(): string {
    return this.world.folder;
  }

  get environment(): Readonly<Record<string, string | undefined>> {
    return this.world.environment;
  }

  get projectFile(): ProjectFile {
    this.project ??= readProjectFile(this.folder);
    return this.project;
  }

  /**
   * The instance to talk to: `--url`, `LOUPE_URL`, the one that `.loupe.yaml` names when a sign-in for it exists (so
   * that a repository can send no token to a host of its choice), the current one. Null when none is known.
   */
  get url(): string | null {
    const named = this.flags.url ?? this.environment.LOUPE_URL;
    if (named) return instanceUrl(named);
    const { current, instances } = this.store.read();
    const ofFile = this.projectFile.kind === 'good' ? this.projectFile.instance : null;
    const wanted = ofFile === null ? null : ofFile.replace(/\/+$/, '');
    if (wanted !== null && wanted in instances) return wanted;
    return current ?? null;
  }

  /** @throws Failure (3) when nobody has signed in. */
  signIn(): SignIn {
    const { url } = this;
    if (url === null) throw notSignedIn('any Loupe');
    if (!this.store.login(url)) throw notSignedIn(url);
    return new SignIn(this.store, url, this.fetch);
  }

  /** @throws Failure (3) when nobody has signed in. */
  api(): ApiClient {
    const signIn = this.signIn();
    return new ApiClient(signIn.url, signIn, this.fetch);
  }

  /** The project of `.loupe.yaml`, or null when there is no such file. @throws Failure (1) for a broken one. */
  linkedProject(): string | null {
    const file = this.projectFile;
    if (file.kind === 'broken')
      throw failed(`${PROJECT_FILE} is broken (${file.why})`, 'mend it, or run `loupe project link --force`');
    return file.kind === 'good' ? file.project : null;
  }

  /** `text` as the id of a project. @throws Failure (2). */
  static projectId(text: string): string {
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
    throw wrongUse(`"${text}" is not the id of a project`, 'give the uuid that its Connect page shows');
  }
}
