import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { artifactNotFound } from '../../domain/refusals.js';
import { countHourly } from '../hourly-limit.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { type GitAccess, GitTokens } from '../ports/git-tokens.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';

const SHORTEST_SECONDS = 300;
const LONGEST_SECONDS = 3_600;

export interface MintGitTokenInput {
  readonly artifactId: string;
  /** Where the call names a project. */
  readonly projectId?: string;
  /** 300 to 3,600; default 3,600. */
  readonly ttlSeconds?: number | null;
}

export interface MintedGitToken {
  readonly artifactId: string;
  /** Holds the secret: show it once, log it never. */
  readonly gitRemoteUrl: string;
  readonly access: GitAccess;
  readonly expiresAt: Date;
}

/**
 * A short-lived right to clone an artifact, and to push where the caller may write (`artifacts.md` 7.6).
 * @throws DomainError `switched-off`, `rate-limited`, `conflict` `no_repository` for assets; InvalidInput.
 */
@Injectable()
export class MintGitToken {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly directory: ArtifactDirectory,
    private readonly access: ProjectAccess,
    private readonly workers: WorkerDoor,
    private readonly limits: RateLimiter,
    private readonly tokens: GitTokens,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly refusals: RefusalRecords,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: MintGitTokenInput): Promise<MintedGitToken> {
    const artifact = await this.directory.require(actor, input.artifactId, 'read', input.projectId);
    const { artifactId, projectId } = artifact;
    const attempt = { operation: 'artifact.git_token_minted', projectId, artifactId };
    return this.refusals.around(actor, attempt, () => this.mint(actor, artifact, input));
  }

  private async mint(
    actor: Actor,
    artifact: ArtifactFacts,
    input: MintGitTokenInput,
  ): Promise<MintedGitToken> {
    await this.access.require(actor, artifact.projectId, 'contribute', 'Artifact');
    await this.workers.refuseWorkers(actor);
    const seconds = readSeconds(input.ttlSeconds);
    if (!this.flags.isOn('artifacts.git.enabled')) {
      throw new DomainError('switched-off', 'switched_off', this.flags.refusal('artifacts.git.enabled'));
    }
    if (artifact.artifactType === 'asset') {
      throw conflict('no_repository', 'An asset has no git repository. Use artifact_get to see its file.');
    }
    const personId = personIdOf(actor);
    if (personId === null) throw artifactNotFound();
    await countHourly(this.limits, this.flags, 'artifacts.git_tokens_per_hour', personId, 'git tokens');
    const access = await this.accessOf(actor, artifact);
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + seconds * 1_000);
    const secret = await this.unitOfWork.run(async () => {
      const minted = await this.tokens.mint(
        {
          id: this.ids.next(),
          artifactId: artifact.artifactId,
          projectId: artifact.projectId,
          personId,
          connectionId: actor.kind === 'connection' ? actor.connectionId : null,
          access,
          expiresAt,
        },
        now,
      );
      await this.audit.record(actor, {
        operation: 'artifact.git_token_minted',
        subjectType: 'artifact',
        subjectId: artifact.artifactId,
        projectId: artifact.projectId,
        context: { access, seconds },
      });
      return minted;
    });
    return {
      artifactId: artifact.artifactId,
      gitRemoteUrl: this.addressOf(artifact.artifactId, secret),
      access,
      expiresAt,
    };
  }

  private async accessOf(actor: Actor, artifact: ArtifactFacts): Promise<GitAccess> {
    if (artifact.archived) return 'ro';
    try {
      await this.directory.require(actor, artifact.artifactId, 'write');
      return 'rw';
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'forbidden') return 'ro';
      throw error;
    }
  }

  private addressOf(artifactId: string, secret: string): string {
    const url = new URL(this.configuration.url(`/git/${artifactId}.git`));
    url.username = 'x-token';
    url.password = secret;
    return url.toString();
  }
}

function readSeconds(given: number | null | undefined): number {
  const seconds = given ?? LONGEST_SECONDS;
  const problems = new Problems();
  if (!Number.isInteger(seconds) || seconds < SHORTEST_SECONDS || seconds > LONGEST_SECONDS) {
    problems.add('ttlSeconds', `must be a whole number from ${SHORTEST_SECONDS} to ${LONGEST_SECONDS}`);
  }
  problems.throwIfAny();
  return seconds;
}
