import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { CollectGarbage } from '../application/commands/collect-garbage.js';
import { PurgeArtifacts } from '../application/commands/purge-artifacts.js';
import { TidyRepositories } from '../application/commands/tidy-repositories.js';
import { RepositoryBundles } from '../application/ports/repository-bundles.js';
import { BUNDLE_JOB, MAINTENANCE_QUEUE } from '../application/reactions/when-version-stored.js';

const PURGE = 'artifacts.purge';
const COLLECT = 'artifacts.collect-garbage';
const TIDY = 'artifacts.tidy-repositories';
const LONG_MS = 3_600_000;

/** What is done at night and in the background for the library. */
@Injectable()
export class LibraryUpkeep implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly purge: PurgeArtifacts,
    private readonly collect: CollectGarbage,
    private readonly tidy: TidyRepositories,
    private readonly bundles: RepositoryBundles,
  ) {}

  onModuleInit(): void {
    const nightly = (name: string, cron: string, work: () => Promise<unknown>): void => {
      this.jobs.every(MAINTENANCE_QUEUE, name.replace('.', '-'), name, { cron });
      this.jobs.process(
        MAINTENANCE_QUEUE,
        name,
        async () => {
          await work();
          return undefined;
        },
        { timeoutMs: LONG_MS },
      );
    };
    nightly(PURGE, '17 2 * * *', () => this.purge.execute({ kind: 'system', jobName: PURGE }));
    nightly(COLLECT, '37 2 * * *', () => this.collect.execute());
    nightly(TIDY, '7 3 * * 0', () => this.tidy.execute());
    this.jobs.process(MAINTENANCE_QUEUE, BUNDLE_JOB, async ({ data }) => {
      await this.bundles.store(String(data.artifactId));
      return undefined;
    });
  }
}
