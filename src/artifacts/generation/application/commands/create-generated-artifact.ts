import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { ArtifactAddresses } from '../../../library/application/ports/artifact-addresses.js';
import {
  type GenerationArguments,
  GenerationRequests,
  type GenerationSecrets,
} from '../ports/generation-requests.js';

const PER_HOUR = 'artifacts.creates_per_hour';

export type CreateGeneratedInput = GenerationArguments & { readonly projectId: string };

/** The answer of `artifact_create` for the generation types (`artifacts.md` 7.1). */
export interface CreatedGeneration {
  readonly success: true;
  readonly status: 'generating';
  readonly sessionId: string;
  readonly artifactId: string;
  readonly artifactUrl: string;
  readonly playgroundUrl?: string;
  readonly previewUrl: string;
  readonly reused: boolean;
  readonly notes: readonly string[];
  readonly nextSteps: readonly string[];
}

/**
 * A new artifact whose files a generator makes; the same request while it is active gives the same artifact.
 * @throws InvalidInput; DomainError `rate-limited`, `switched-off`, `unavailable`, `forbidden`.
 */
@Injectable()
export class CreateGeneratedArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly requests: GenerationRequests,
    private readonly addresses: ArtifactAddresses,
    private readonly limits: RateLimiter,
    private readonly flags: Flags,
  ) {}

  async execute(
    actor: Actor,
    { projectId, ...given }: CreateGeneratedInput,
    secrets: GenerationSecrets,
  ): Promise<CreatedGeneration> {
    await this.access.require(actor, projectId, 'contribute');
    await this.requireTurn(personIdOf(actor) ?? projectId);
    const { artifactId, reused, notes } = await this.requests.request(actor, projectId, given, secrets);
    return {
      success: true,
      status: 'generating',
      sessionId: artifactId,
      artifactId,
      artifactUrl: this.addresses.page(projectId, artifactId),
      ...(given.artifactType === 'markdown'
        ? {}
        : { playgroundUrl: this.addresses.playground(projectId, artifactId) }),
      previewUrl: this.addresses.preview(artifactId),
      reused,
      notes,
      nextSteps: ['Call artifact_status with { sessionId, wait: true } before you answer.'],
    };
  }

  /** Counted together with artifacts of own code, under the same name. */
  private async requireTurn(key: string): Promise<void> {
    const max = this.flags.int(PER_HOUR);
    const { allowed, retryAfterSeconds } = await this.limits.hit(PER_HOUR, key, {
      max,
      windowSeconds: 3_600,
    });
    if (allowed) return;
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `Too many new artifacts: the limit is ${max} an hour. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    );
  }
}
