import { Injectable, Logger } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactBlobs } from '../../../library/application/ports/artifact-blobs.js';
import { ArtifactStates } from '../../../library/application/ports/artifact-states.js';
import { type CandidateFile, VersionStore } from '../../../library/application/ports/version-store.js';
import { problemsOfSet } from '../../domain/generated-files.js';
import { BUILT_IN_MINUTES, type GenerationJob } from '../../domain/generation-job.js';
import { GenerationNews } from '../generation-news.js';
import { JobEnd } from '../job-end.js';
import { ArtifactGenerators, type GeneratedSet, GenerationFailed } from '../ports/artifact-generator.js';
import { GenerationJobs } from '../ports/generation-jobs.js';
import { NoLongerWanted, RunningJob, tookTooLong } from '../running-job.js';

const MAX_NAME = 120;

/**
 * Runs the generator of a queued job and stores what it makes as the next version, once: the job must still be active in
 * the transaction that stores. Safe to repeat, also after the process was killed in the middle.
 */
@Injectable()
export class RunGeneration {
  private readonly logger = new Logger('artifact-generation');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly generators: ArtifactGenerators,
    private readonly blobs: ArtifactBlobs,
    private readonly versions: VersionStore,
    private readonly artifacts: ArtifactStates,
    private readonly end: JobEnd,
    private readonly news: GenerationNews,
    private readonly flags: Flags,
    private readonly signals: Signals,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @throws what a later repeat may overcome, such as a database that is away. */
  async execute(actor: Actor, jobId: string): Promise<void> {
    const job = await this.begin(actor, jobId);
    if (!job) return;
    if (job.deadline <= this.clock.now()) {
      await this.end.fail(actor, jobId, tookTooLong(BUILT_IN_MINUTES));
      return;
    }
    try {
      await this.store(actor, job, await this.generate(actor, job));
    } catch (error) {
      if (error instanceof NoLongerWanted) return;
      if (error instanceof GenerationFailed || isFinal(error)) {
        await this.end.fail(actor, jobId, (error as Error).message);
        return;
      }
      throw error;
    }
  }

  private async begin(actor: Actor, jobId: string): Promise<GenerationJob | null> {
    return this.unitOfWork.run(async () => {
      const job = await this.jobs.hold(jobId);
      const wasRunning = job?.progress.state === 'running';
      if (!job?.start(this.clock.now())) return null;
      if (!wasRunning) {
        await this.jobs.save(job);
        await this.news.tell(actor, job, 'progressed');
      }
      return job;
    });
  }

  private async generate(actor: Actor, job: GenerationJob): Promise<GeneratedSet> {
    const { facts } = job;
    const generator = this.generators.find(facts.generator);
    if (!generator) throw new GenerationFailed(`This server has no generator ${facts.generator} any more.`);
    const sealed = await this.jobs.secretOf(facts.jobId, this.clock.now());
    const running = new RunningJob(job, this.clock.now(), this.signals, {
      isWanted: async () => (await this.jobs.latest(facts.artifactId))?.isActive ?? false,
      keep: (percent) => this.keepProgress(actor, facts.jobId, percent),
    });
    try {
      const set = await running.until(
        generator.generate(facts.request, {
          projectId: facts.projectId,
          progress: running.progress,
          signal: running.signal,
          figmaToken: sealed === null ? null : this.secrets.open(sealed),
          problemsOf: (files) =>
            problemsOfSet(
              facts.request,
              files.map((file) => file.path),
            ),
        }),
      );
      const problems = problemsOfSet(
        facts.request,
        set.files.map((file) => file.path),
      );
      if (problems.length > 0)
        throw new GenerationFailed(`What was made cannot be stored: ${problems.join(' ')}`);
      return set;
    } catch (error) {
      if (error instanceof GenerationFailed || error instanceof NoLongerWanted) throw error;
      if (error instanceof DomainError) throw error;
      this.logger.error({
        msg: 'A generator failed',
        jobId: facts.jobId,
        generator: facts.generator,
        err: error,
      });
      throw new GenerationFailed('The generator failed unexpectedly. The error has been logged.');
    } finally {
      await running.stop();
    }
  }

  private async keepProgress(actor: Actor, jobId: string, percent: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      const job = await this.jobs.hold(jobId);
      if (!job?.advance(percent)) return;
      await this.jobs.save(job);
      await this.news.tell(actor, job, 'progressed');
    });
  }

  private async store(actor: Actor, { facts }: GenerationJob, set: GeneratedSet): Promise<void> {
    const maxBytes = this.flags.int('artifacts.file_max_bytes');
    const files: CandidateFile[] = [];
    for (const { path, content } of set.files) {
      files.push({ path, blob: await this.blobs.put(Buffer.from(content as Uint8Array), { maxBytes }) });
    }
    await this.versions.store({
      target: { artifactId: facts.artifactId },
      actor,
      maker: facts.requestedBy,
      files,
      notes: '',
      source: 'generate',
      always: true,
      inTransaction: async () => {
        const job = await this.jobs.hold(facts.jobId);
        if (!job?.succeed(set.notes, this.clock.now())) throw new NoLongerWanted();
        await this.jobs.save(job);
        await this.jobs.dropSecret(facts.jobId);
        await this.artifacts.succeed(facts.artifactId, nameOf(set.name));
        await this.news.tell(actor, job, 'succeeded');
      },
    });
  }
}

/** Refusals that a repeat would meet again. */
function isFinal(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.code !== 'busy';
}

function nameOf(given: string): string {
  const line = given
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, MAX_NAME).join('').trim() || 'Untitled project';
}
