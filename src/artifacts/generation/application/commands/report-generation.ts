import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactDirectory } from '../../../library/application/ports/artifact-directory.js';
import { ArtifactStates } from '../../../library/application/ports/artifact-states.js';
import { problemsOfSet } from '../../domain/generated-files.js';
import type { GenerationJob } from '../../domain/generation-job.js';
import { type GenerationReport, type GivenReport, readReport } from '../../domain/generation-report.js';
import { GenerationNews } from '../generation-news.js';
import { BridgeWork } from '../ports/bridge-work.js';
import { GenerationJobs } from '../ports/generation-jobs.js';

export type ReportGenerationInput = GivenReport & { readonly projectId: string };

export interface ReportedGeneration {
  readonly success: true;
  readonly jobId: string;
  readonly state: GenerationReport['state'];
}

/**
 * What the worker run says that fulfils a job; nobody else may. The same last report may be repeated.
 * @throws InvalidInput, DomainError `not-found`, `conflict` `job_ended` for another report after the end, `conflict`
 *   `nothing_stored` when `ready` comes before the files.
 */
@Injectable()
export class ReportGeneration {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly bridges: BridgeWork,
    private readonly directory: ArtifactDirectory,
    private readonly artifacts: ArtifactStates,
    private readonly news: GenerationNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ReportGenerationInput): Promise<ReportedGeneration> {
    await this.access.require(actor, input.projectId, 'contribute');
    const { jobId, report } = readReport(input);
    if (!(await this.bridges.isFulfiller(actor, jobId))) throw notFound('Generation job', 'jobId');
    return this.unitOfWork.run(async () => {
      const job = await this.jobs.hold(jobId);
      if (!job || job.facts.projectId !== input.projectId) throw notFound('Generation job', 'jobId');
      if (job.isActive) await this.apply(actor, job, report);
      else if (!isRepeat(job, report)) {
        throw conflict('job_ended', `The job has ended already: ${job.progress.state}.`);
      }
      return { success: true, jobId, state: report.state };
    });
  }

  private async apply(actor: Actor, job: GenerationJob, report: GenerationReport): Promise<void> {
    const at = this.clock.now();
    const { artifactId } = job.facts;
    if (report.state === 'progress') {
      if (!job.advance(report.progress)) return;
      await this.jobs.save(job);
      await this.news.tell(actor, job, 'progressed');
      return;
    }
    if (report.state === 'ready') {
      const name = await this.requireFiles(job);
      job.succeed(report.notes, at);
      await this.artifacts.succeed(artifactId, report.name ?? name);
    } else {
      job.fail(report.error, at);
      await this.artifacts.fail(artifactId, report.error);
    }
    await this.jobs.save(job);
    await this.news.tell(actor, job, report.state === 'ready' ? 'succeeded' : 'failed');
  }

  /** @returns the name that the artifact has. */
  private async requireFiles({ facts, progress }: GenerationJob): Promise<string> {
    const artifact = await this.directory.find(facts.artifactId);
    const latest = artifact?.latestVersion ?? 0;
    const version = await this.directory.version(facts.artifactId, latest);
    const files = version ? await this.directory.files(version.versionId) : [];
    const [problem] = problemsOfSet(
      facts.request,
      files.map((file) => file.path),
    );
    if (problem) {
      const what = facts.request.artifactType === 'markdown' ? '.md file' : 'index.html';
      throw conflict('nothing_stored', `Store the files first: the latest version has no ${what}.`);
    }
    if (latest <= (progress.baseVersion ?? 0)) {
      throw conflict(
        'nothing_stored',
        'Store the files first: there is no version since the work was taken.',
      );
    }
    return artifact!.name;
  }
}

function isRepeat({ progress }: GenerationJob, report: GenerationReport): boolean {
  if (report.state === 'ready') return progress.state === 'succeeded';
  return report.state === 'failed' && progress.state === 'failed' && progress.error === report.error;
}
