import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, forbidden, InvalidInput } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactStates } from '../../../library/application/ports/artifact-states.js';
import { LibraryHooks } from '../../../library/application/ports/library-hooks.js';
import { WorkspaceChoice } from '../../../library/application/ports/workspace-choice.js';
import { GenerationJob } from '../../domain/generation-job.js';
import {
  type GenerationRequest,
  identityOf,
  readGenerationRequest,
  URL_REFUSAL,
} from '../../domain/generation-request.js';
import { GeneratorChoice } from '../generator-choice.js';
import { JobStart } from '../job-start.js';
import { GenerationJobs } from '../ports/generation-jobs.js';
import type { GenerationArguments, RequestedGeneration } from '../ports/generation-requests.js';
import { PageFetcher } from '../ports/page-fetcher.js';

export interface RequestGenerationInput {
  readonly projectId: string;
  readonly given: GenerationArguments;
  readonly figmaToken: string | null;
}

const SECRET_MINUTES = 30;
const FIGMA_TOKEN_MISSING =
  'type f2c needs your Figma token in the X-Figma-Token request header; it is never an argument.';

const WORKER_STORES =
  'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.';
/** What somebody did not find, and what could not be tried, is no refusal. */
const NO_REFUSAL: ReadonlySet<string> = new Set(['not-found', 'unavailable']);

/**
 * Starts the generation of a new artifact, or answers with the one that an equal request is generating.
 * @throws InvalidInput that names every wrong argument; DomainError `switched-off`, `forbidden`, `conflict` `limit`,
 *   `unavailable` when no generator takes the request. Then nothing was made.
 */
@Injectable()
export class RequestGeneration {
  constructor(
    private readonly access: ProjectAccess,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly workspaces: WorkspaceChoice,
    private readonly artifacts: ArtifactStates,
    private readonly jobs: GenerationJobs,
    private readonly choice: GeneratorChoice,
    private readonly start: JobStart,
    private readonly pages: PageFetcher,
    private readonly secrets: SecretBox,
    private readonly hooks: LibraryHooks,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: RequestGenerationInput): Promise<RequestedGeneration> {
    try {
      return await this.request(actor, input);
    } catch (error) {
      if (error instanceof DomainError && !NO_REFUSAL.has(error.kind)) {
        await this.audit.record(actor, {
          operation: 'artifact.generation_requested',
          outcome: 'refused',
          projectId: input.projectId,
          context: { type: input.given.type, code: error.code },
        });
      }
      throw error;
    }
  }

  private async request(actor: Actor, input: RequestGenerationInput): Promise<RequestedGeneration> {
    await this.access.require(actor, input.projectId, 'contribute');
    if (!this.flags.isOn('artifacts.generation.enabled')) {
      throw new DomainError(
        'switched-off',
        'switched_off',
        this.flags.refusal('artifacts.generation.enabled'),
      );
    }
    if (actor.kind === 'connection' && (await this.hooks.isWorkerSession(actor.agentSessionId))) {
      throw forbidden(WORKER_STORES, 'worker_session');
    }
    const request = this.read(input);
    const workspaceId = await this.workspaces.choose(
      actor,
      input.projectId,
      input.given.workspaceId ?? undefined,
    );
    const identity = identityOf(input.projectId, workspaceId, request);
    const active = await this.jobs.activeOfIdentity(input.projectId, identity);
    if (active) return reused(active);
    const generator = await this.choice.choose(request, input.projectId);
    return this.unitOfWork.run(async () => {
      const job = GenerationJob.queued(
        {
          jobId: this.ids.next(),
          artifactId: this.ids.next(),
          projectId: input.projectId,
          workspaceId,
          request,
          requestIdentity: identity,
          generator: generator.key,
          requestedBy: { kind: actor.kind === 'person' ? 'person' : 'agent', personId: personIdOf(actor) },
          createdAt: this.clock.now(),
        },
        [],
      );
      if (!(await this.start.add(actor, job))) {
        const other = await this.jobs.activeOfIdentity(input.projectId, identity);
        if (other) return reused(other);
        throw new DomainError(
          'unavailable',
          'busy',
          'The same request has just ended. Call artifact_create again.',
        );
      }
      await this.makeArtifact(actor, job);
      await this.keepToken(job, input.figmaToken);
      return { artifactId: job.facts.artifactId, jobId: job.facts.jobId, reused: false, notes: [] };
    });
  }

  private read({ given, figmaToken }: RequestGenerationInput): GenerationRequest {
    const request = readGenerationRequest(given);
    if (request.url !== null && !this.pages.accepts(request.url)) {
      throw new InvalidInput([{ argument: 'url', sentence: URL_REFUSAL }]);
    }
    if (request.type === 'f2c' && !/^[\x21-\x7e]{1,500}$/.test(figmaToken ?? '')) {
      throw new DomainError('invalid', 'invalid', FIGMA_TOKEN_MISSING);
    }
    return request;
  }

  private async makeArtifact(actor: Actor, { facts }: GenerationJob): Promise<void> {
    await this.artifacts.addGenerating(
      actor,
      {
        artifactId: facts.artifactId,
        projectId: facts.projectId,
        workspaceId: facts.workspaceId,
        name: 'Untitled project',
        description: '',
        artifactType: facts.request.artifactType,
        framework: facts.request.framework,
        origin: facts.request.type,
        entryWish: null,
      },
      facts.requestedBy,
    );
  }

  private async keepToken({ facts }: GenerationJob, token: string | null): Promise<void> {
    if (facts.request.type !== 'f2c' || token === null) return;
    const expiresAt = new Date(facts.createdAt.getTime() + SECRET_MINUTES * 60_000);
    await this.jobs.keepSecret(facts.jobId, this.secrets.seal(token), expiresAt);
  }
}

function reused({ facts, progress }: GenerationJob): RequestedGeneration {
  return { artifactId: facts.artifactId, jobId: facts.jobId, reused: true, notes: progress.notes };
}
