import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { GitTokens } from '../ports/git-tokens.js';
import { Pushes } from '../ports/pushes.js';
import { Uploads } from '../ports/uploads.js';
import { UPLOADS_PREFIX, uploadOfKey } from '../upload-life.js';

const HOUR_MS = 3_600_000;
/** A repeated commit of a push gets its answer for this long. */
const PUSHES_KEPT_MS = 24 * HOUR_MS;
/** Longer than a push is open. */
const STAGED_KEPT_MS = 2 * HOUR_MS;
/** So long a second use of an upload is told which artifact was made of it. */
const UPLOADS_KEPT_MS = 30 * 24 * HOUR_MS;
/** So long a client with an old address is told that it has expired, rather than that it never was. */
const TOKENS_KEPT_MS = 7 * 24 * HOUR_MS;

/** Takes away what ran out: uploads with their bytes, pushes with what was staged for them, git tokens. Safe to run twice, and beside itself. */
@Injectable()
export class TidyWaysIn {
  constructor(
    private readonly uploads: Uploads,
    private readonly pushes: Pushes,
    private readonly tokens: GitTokens,
    private readonly repositories: GitRepositories,
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const now = this.clock.now();
    for (const key of await this.uploads.expire({ at: now })) await this.blobs.delete(key);
    await this.dropStrays(now);
    await this.uploads.purge(new Date(now.getTime() - UPLOADS_KEPT_MS));
    await this.pushes.purge(new Date(now.getTime() - PUSHES_KEPT_MS));
    await this.repositories.dropStaged(new Date(now.getTime() - STAGED_KEPT_MS));
    await this.tokens.purge(new Date(now.getTime() - TOKENS_KEPT_MS));
  }

  /** Bytes of uploads that a killed process left behind: no upload speaks of them, and none can any more. */
  private async dropStrays(now: Date): Promise<void> {
    let cursor: string | undefined;
    do {
      const { keys, nextCursor } = await this.blobs.list(UPLOADS_PREFIX, cursor);
      for (const key of keys) {
        const upload = await this.uploads.find(uploadOfKey(key));
        const open = upload !== null && upload.expiresAt.getTime() + HOUR_MS > now.getTime();
        if (!open || upload.state === 'consumed') await this.blobs.delete(key);
      }
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
