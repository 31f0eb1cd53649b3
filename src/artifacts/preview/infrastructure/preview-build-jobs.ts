import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';
import { BuildPreview } from '../application/commands/build-preview.js';
import { BUILD_JOB, BUILD_QUEUE } from '../application/reactions/when-version-stored.js';
import { buildKindOf } from '../application/version-previews.js';

/** A build takes 60 s at most; the rest is for reading and storing. */
const WAIT_MS = 110_000;

/** Does the builds that were asked for when versions were stored. A lost one is made up for by the first view. */
@Injectable()
export class PreviewBuildJobs implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly directory: ArtifactDirectory,
    private readonly buildPreview: BuildPreview,
  ) {}

  onModuleInit(): void {
    this.jobs.process(
      BUILD_QUEUE,
      BUILD_JOB,
      async ({ data }) => {
        const facts = await this.directory.find(String(data.artifactId));
        const version = facts && (await this.directory.version(facts.artifactId, Number(data.version)));
        const kind = facts && version && buildKindOf(facts, version);
        if (version && kind) {
          const { versionId, entryPath } = version;
          await this.buildPreview.execute({ versionId, entryPath, kind }, WAIT_MS);
        }
        return undefined;
      },
      { concurrency: 1, attempts: 2, timeoutMs: 120_000 },
    );
  }
}
