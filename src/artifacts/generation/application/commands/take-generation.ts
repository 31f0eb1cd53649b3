import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactBlobs } from '../../../library/application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '../../../library/application/ports/artifact-directory.js';
import { VersionStore } from '../../../library/application/ports/version-store.js';
import type { GenerationJob } from '../../domain/generation-job.js';
import { GenerationNews } from '../generation-news.js';
import { GenerationJobs } from '../ports/generation-jobs.js';

const SEED = `# Being made

A coding agent is making the files of this artifact. It replaces this text.
`;

/**
 * A bridge takes the work of a job. An artifact without a version gets a seed, so that the worker has a base and a clone
 * has history. The status stays `generating` until the report.
 */
@Injectable()
export class TakeGeneration {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly directory: ArtifactDirectory,
    private readonly blobs: ArtifactBlobs,
    private readonly versions: VersionStore,
    private readonly news: GenerationNews,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the job has ended or somebody took it: the worker has nothing to do then. */
  async execute(actor: Actor, jobId: string): Promise<boolean> {
    const offered = await this.unitOfWork.run(() => this.jobs.hold(jobId));
    if (offered?.progress.state !== 'queued') return false;
    const artifact = await this.directory.find(offered.facts.artifactId);
    if (!artifact) return false;
    if (artifact.latestVersion === null) return this.takeWithSeed(actor, offered);
    const base = artifact.latestVersion;
    return this.unitOfWork.run(() => this.take(actor, jobId, base));
  }

  private async takeWithSeed(actor: Actor, { facts }: GenerationJob): Promise<boolean> {
    const blob = await this.blobs.put(Buffer.from(SEED), { maxBytes: SEED.length });
    try {
      const { unchanged } = await this.versions.store({
        target: { artifactId: facts.artifactId },
        actor,
        maker: facts.requestedBy,
        files: [{ path: 'README.md', blob }],
        notes: '',
        source: 'seed',
        inTransaction: async ({ version }) => {
          if (!(await this.take(actor, facts.jobId, version))) throw new TakenAlready();
        },
      });
      // The seed is there already: another bridge was quicker.
      return !unchanged;
    } catch (error) {
      if (error instanceof TakenAlready) return false;
      throw error;
    }
  }

  private async take(actor: Actor, jobId: string, baseVersion: number): Promise<boolean> {
    const job = await this.jobs.hold(jobId);
    if (!job?.take(baseVersion, this.clock.now())) return false;
    await this.jobs.save(job);
    await this.news.tell(actor, job, 'progressed');
    return true;
  }
}

/** Undoes the seed of a bridge that came second. */
class TakenAlready extends Error {
  override readonly name = 'TakenAlready';
}
