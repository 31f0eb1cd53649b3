import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { type JobCall, type JobSource, JobSources } from '#src/platform/application/ports/job-sources.js';
import { RunGeneration } from '../application/commands/run-generation.js';
import { SweepGenerations } from '../application/commands/sweep-generations.js';
import { GENERATION_JOB, GENERATION_QUEUE, queueIdOf } from '../application/job-start.js';
import { GenerationJobs } from '../application/ports/generation-jobs.js';
import { BUILT_IN_MINUTES } from '../domain/generation-job.js';

const SWEEP = 'artifacts.sweep-generations';
const PURGE = 'artifacts.purge-generations';
/** A little more than a job has, so that it ends itself. */
const TIMEOUT_MS = (BUILT_IN_MINUTES + 1) * 60_000;

/** The queue of generation, and what fills it again when its data was lost. */
@Injectable()
export class GenerationQueue implements OnModuleInit, JobSource {
  readonly name = 'artifact-generation';

  constructor(
    private readonly jobs: Jobs,
    private readonly sources: JobSources,
    private readonly rows: GenerationJobs,
    private readonly run: RunGeneration,
    private readonly sweep: SweepGenerations,
  ) {}

  onModuleInit(): void {
    this.sources.register(this);
    const options = { concurrency: 4, timeoutMs: TIMEOUT_MS };
    this.jobs.process(
      GENERATION_QUEUE,
      GENERATION_JOB,
      async ({ data }) => {
        await this.run.execute({ kind: 'system', jobName: GENERATION_JOB }, String(data.jobId));
        return undefined;
      },
      options,
    );
    this.jobs.every('maintenance', 'artifacts-sweep-generations', SWEEP, { ms: 60_000 });
    this.jobs.process('maintenance', SWEEP, async () => {
      await this.sweep.execute({ kind: 'system', jobName: SWEEP });
      return undefined;
    });
    this.jobs.every('maintenance', 'artifacts-purge-generations', PURGE, { cron: '43 2 * * *' });
    this.jobs.process('maintenance', PURGE, async () => {
      await this.rows.purgeWithoutArtifact();
      return undefined;
    });
  }

  async *pages(): AsyncIterable<readonly JobCall[]> {
    let last: string | null = null;
    for (;;) {
      const page = await this.rows.activeAfter(last);
      if (page.length === 0) return;
      yield page
        .filter((job) => !job.isBridgeWork)
        .map(({ facts: { jobId } }) => ({
          queue: GENERATION_QUEUE,
          id: queueIdOf(jobId),
          name: GENERATION_JOB,
          data: { jobId },
        }));
      last = page.at(-1)!.facts.jobId;
    }
  }
}
