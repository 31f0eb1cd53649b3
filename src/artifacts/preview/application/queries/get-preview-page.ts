import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { GenerationProgress } from '#src/artifacts/generation/application/ports/generation-progress.js';
import { PreviewAddresses } from '../ports/preview-addresses.js';
import { PreviewAudience } from '../preview-audience.js';
import { GetPreviewTicket, type PreviewFrame } from './get-preview-ticket.js';

export interface PreviewPage {
  readonly artifactId: string;
  /** Null for whoever sees a public artifact without a right in its project. */
  readonly projectId: string | null;
  readonly name: string;
  readonly status: 'generating' | 'ready' | 'failed';
  /** 0 to 100 while it is generated. */
  readonly progress: number | null;
  readonly error: string | null;
  readonly latestVersion: number | null;
  /** The pinned version, or null for the latest. */
  readonly version: number | null;
  /** What to frame; null while there is nothing to see. */
  readonly frame: PreviewFrame | null;
}

/** What the page of a preview shows (`artifacts.md` 10.1). */
@Injectable()
export class GetPreviewPage {
  constructor(
    private readonly audience: PreviewAudience,
    private readonly tickets: GetPreviewTicket,
    private readonly progress: GenerationProgress,
    private readonly addresses: PreviewAddresses,
  ) {}

  /** Source of `frame-src` for the page. */
  get frameSource(): string {
    return this.addresses.frameSource;
  }

  /** Null for whoever may not look. @throws DomainError `not-found` for a version that does not exist. */
  async execute(
    person: PersonActor | null,
    input: { readonly artifactId: string; readonly version: number | null },
  ): Promise<PreviewPage | null> {
    const onlooker = await this.audience.admit(person, input.artifactId);
    if (onlooker === null) return null;
    const { facts } = onlooker;
    const { status, latestVersion } = facts;
    const running = status === 'generating' ? await this.progress.of(facts.artifactId) : null;
    // While an agent still works on it, its versions are drafts; after a failure the last good one stays in view.
    const visible = status !== 'generating' && latestVersion !== null;
    return {
      artifactId: facts.artifactId,
      projectId: onlooker.personId === null ? null : facts.projectId,
      name: facts.name,
      status,
      progress: status === 'generating' ? (running?.progress ?? 0) : null,
      error: status === 'failed' ? (facts.error ?? 'The generation failed.') : null,
      latestVersion,
      version: input.version,
      frame: visible ? await this.tickets.frameFor(onlooker, input.version) : null,
    };
  }
}
