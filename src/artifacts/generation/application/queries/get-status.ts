import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ArtifactAddresses } from '../../../library/application/ports/artifact-addresses.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
} from '../../../library/application/ports/artifact-directory.js';
import { GenerationProgress, type GenerationState } from '../ports/generation-progress.js';
import { StatusSignals } from '../status-signals.js';

export interface GetStatusInput {
  readonly projectId: string;
  readonly artifactId: string;
  /** Wait until it is ready or failed, at most 45 s. */
  readonly wait?: boolean;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Hears of each progress while it waits. */
  readonly onProgress?: (percent: number) => void;
}

export interface ArtifactStatusAnswer {
  readonly success: true;
  readonly sessionId: string;
  readonly artifactId: string;
  readonly status: 'generating' | 'ready' | 'failed';
  readonly progress: number;
  readonly name: string;
  readonly artifactUrl: string;
  readonly playgroundUrl: string | null;
  readonly previewUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly latestVersion: number | null;
  readonly revision: string | null;
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly nextStep: string;
}

export interface WaitTimes {
  readonly waitMs: number;
  readonly pollMs: number;
}

export const WAIT_TIMES = Symbol('WAIT_TIMES');

const DEFAULT_TIMES: WaitTimes = { waitMs: 45_000, pollMs: 5_000 };

/**
 * Whether an artifact is generating, ready or failed. The right to it is checked anew each time it looks, so a wait ends
 * when it is lost. @throws DomainError `not-found`.
 */
@Injectable()
export class GetStatus {
  private readonly times: WaitTimes;

  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly generation: GenerationProgress,
    private readonly signals: StatusSignals,
    private readonly addresses: ArtifactAddresses,
    @Optional() @Inject(WAIT_TIMES) times?: WaitTimes,
  ) {
    this.times = times ?? DEFAULT_TIMES;
  }

  async execute(actor: Actor, input: GetStatusInput): Promise<ArtifactStatusAnswer> {
    const end = performance.now() + this.times.waitMs;
    const armed = this.signals.arm(input.artifactId);
    try {
      for (;;) {
        const facts = await this.directory.require(actor, input.artifactId, 'read', input.projectId);
        const job = await this.generation.of(facts.artifactId);
        const left = end - performance.now();
        if (facts.status !== 'generating' || !input.wait || left <= 0 || input.signal?.aborted) {
          return this.answer(facts, job);
        }
        input.onProgress?.(job?.progress ?? 0);
        await armed.moved(Math.min(left, this.times.pollMs), input.signal);
      }
    } finally {
      armed.disarm();
    }
  }

  private answer(facts: ArtifactFacts, job: GenerationState | null): ArtifactStatusAnswer {
    const { artifactId, artifactType, status } = facts;
    return {
      success: true,
      sessionId: artifactId,
      artifactId,
      status,
      progress: status === 'ready' ? 100 : (job?.progress ?? 0),
      name: facts.name,
      artifactUrl: this.addresses.page(facts.projectId, artifactId),
      playgroundUrl: artifactType === 'app' ? this.addresses.playground(facts.projectId, artifactId) : null,
      previewUrl: artifactType === 'asset' ? null : this.addresses.preview(artifactId),
      thumbnailUrl: null,
      latestVersion: facts.latestVersion,
      revision: facts.headRevision,
      error: facts.error,
      notes: job?.notes ?? [],
      nextStep: nextStepOf(facts),
    };
  }
}

function nextStepOf({ status, artifactType }: ArtifactFacts): string {
  if (status === 'generating') return 'Call artifact_status again with wait true.';
  if (status === 'failed') return 'Tell the person the error. A new artifact_create tries again.';
  return artifactType === 'asset'
    ? 'Give the person artifactUrl.'
    : 'Give the person previewUrl. To change it call artifact_edit with revision as baseRevision.';
}
