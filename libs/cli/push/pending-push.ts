import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writeAtomically } from '../core/atomic-file.js';

export interface OpenPush {
  readonly pushId: string;
  readonly missing: readonly string[];
  readonly expiresAt: string;
  /** How much one request may bring; absent on servers that take files one by one. */
  readonly batch?: { readonly files: number; readonly bytes: number; readonly fileBytes: number };
}

/**
 * What is known of a push that has begun: one file for each request, so that a push that was cut off goes on where it
 * was when the same files are pushed again. The first line is the answer of the server, each further one a blob that
 * has arrived.
 */
export class PendingPush {
  private readonly path: string;

  constructor(configFolder: string, request: unknown) {
    const key = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
    const folder = join(configFolder, 'pushes');
    makePrivateFolder(folder);
    this.path = join(folder, `${key}.jsonl`);
  }

  /** An open push of the same files, and what it still lacks. */
  read(now = Date.now()): OpenPush | null {
    try {
      const [first, ...arrived] = readFileSync(this.path, 'utf8').trim().split('\n');
      const push = JSON.parse(first!) as OpenPush;
      if (!(Date.parse(push.expiresAt) > now)) return null;
      return { ...push, missing: push.missing.filter((sha256) => !arrived.includes(sha256)) };
    } catch {
      return null;
    }
  }

  begin(push: OpenPush): void {
    writeAtomically(this.path, `${JSON.stringify(push)}\n`);
  }

  arrived(hashes: readonly string[]): void {
    if (hashes.length > 0) appendFileSync(this.path, `${hashes.join('\n')}\n`);
  }

  forget(): void {
    rmSync(this.path, { force: true });
  }
}
