import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Clock } from '#libs/kernel/clock.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import { RepositoryBundles } from '../application/ports/repository-bundles.js';
import { git } from './git/git-process.js';
import { RealGitRepositories } from './git/real-git-repositories.js';

interface BundleRow {
  readonly revision: string;
  readonly blobKey: string;
}

@Injectable()
export class StoredRepositoryBundles extends RepositoryBundles {
  private readonly root: string;

  constructor(
    configuration: Configuration,
    private readonly repositories: RealGitRepositories,
    private readonly blobs: BlobStore,
    private readonly database: Database,
    private readonly flags: Flags,
    private readonly clock: Clock,
  ) {
    super();
    this.root = configuration.values.artifactGitRoot;
  }

  override async store(artifactId: string): Promise<void> {
    const revision = await this.repositories.head(artifactId);
    const last = await this.last(artifactId);
    if (revision === null || last?.revision === revision) return;
    const blobKey = `artifacts/bundles/${artifactId}/${revision}`;
    await this.repositories.gather(artifactId);
    await this.inFolder(async (path) => {
      await git(this.root, ['bundle', 'create', '--quiet', path, '--branches', '--tags'], {
        cwd: this.repositories.pathOf(artifactId),
      });
      await this.blobs.put(blobKey, createReadStream(path), {
        maxBytes: this.flags.int('artifacts.git_repository_max_bytes') * 2,
        contentType: 'application/octet-stream',
      });
    });
    await this.database.query(
      `INSERT INTO artifacts.bundle (artifact_id, revision, blob_key, stored_at)
       SELECT id, $2, $3, $4 FROM artifacts.artifact WHERE id = $1
       ON CONFLICT (artifact_id) DO UPDATE SET revision = EXCLUDED.revision, blob_key = EXCLUDED.blob_key,
         stored_at = EXCLUDED.stored_at`,
      [artifactId, revision, blobKey, this.clock.now()],
    );
    if (last && last.blobKey !== blobKey) await this.blobs.delete(last.blobKey);
  }

  override async restore(artifactId: string): Promise<boolean> {
    const last = await this.last(artifactId);
    if (!last) return false;
    const cwd = await this.repositories.ensure(artifactId);
    await this.inFolder(async (path) => {
      await pipeline(await this.blobs.open(last.blobKey), createWriteStream(path));
      await git(
        this.root,
        [
          'fetch',
          '--quiet',
          '--no-write-fetch-head',
          path,
          '+refs/heads/*:refs/heads/*',
          '+refs/tags/*:refs/tags/*',
        ],
        {
          cwd,
        },
      );
    });
    return true;
  }

  private last(artifactId: string): Promise<BundleRow | null> {
    return this.database.one<BundleRow>(
      'SELECT revision, blob_key AS "blobKey" FROM artifacts.bundle WHERE artifact_id = $1',
      [artifactId],
    );
  }

  private async inFolder(work: (path: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-bundle-'));
    try {
      await work(join(folder, 'repository.bundle'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
