import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';
import { frameSandbox } from '../../domain/preview-headers.js';
import { writePath } from '../../domain/preview-path.js';
import { TICKET_LIFE_MS } from '../../domain/preview-ticket.js';
import { generating, unknownVersion } from '../../domain/refusals.js';
import { PreviewAddresses } from '../ports/preview-addresses.js';
import { TicketSigner } from '../ports/ticket-signer.js';
import { type Onlooker, PreviewAudience } from '../preview-audience.js';
import { buildKindOf } from '../version-previews.js';

export interface PreviewFrame {
  /** Address of the start page, for the `src` of a frame. */
  readonly frameUrl: string;
  /** Full address that the files lie under, with a slash at its end: paths of the artifact follow it. */
  readonly baseUrl: string;
  readonly expiresAt: string;
  /** Value of the `sandbox` attribute of the frame. */
  readonly sandbox: string;
}

/** Gives whoever may look at an artifact an address for a frame. */
@Injectable()
export class GetPreviewTicket {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly audience: PreviewAudience,
    private readonly signer: TicketSigner,
    private readonly addresses: PreviewAddresses,
    private readonly clock: Clock,
    private readonly flags: Flags,
  ) {}

  /**
   * @throws DomainError `not-found` for whoever may not look, `unauthenticated` without a session, `conflict`
   *   `generating` while there is nothing to see, `not-found` for a version that does not exist.
   */
  async execute(
    person: PersonActor | null,
    input: { readonly artifactId: string; readonly projectId: string; readonly version?: number },
  ): Promise<PreviewFrame> {
    if (!this.flags.isOn('artifacts.enabled'))
      throw new DomainError('switched-off', 'switched_off', this.flags.refusal('artifacts.enabled'));
    const onlooker = await this.audience.admit(person, input.artifactId, input.projectId);
    if (onlooker === null) {
      throw person === null
        ? new DomainError('unauthenticated', 'unauthenticated', 'Sign in to go on.')
        : notFound('Artifact');
    }
    return this.frameFor(onlooker, input.version ?? null);
  }

  /** The frame for somebody who may look already. `version` null follows the latest. */
  async frameFor({ facts, personId }: Onlooker, version: number | null): Promise<PreviewFrame> {
    const { artifactId, latestVersion, previewEpoch } = facts;
    if (latestVersion === null) throw generating();
    const shown = await this.directory.version(artifactId, version ?? latestVersion);
    if (shown === null) throw unknownVersion(version ?? latestVersion, latestVersion);
    const expiresAt = new Date(this.clock.now().getTime() + TICKET_LIFE_MS);
    const signed = this.signer.sign({ artifactId, version, previewEpoch, expiresAt, personId });
    const baseUrl = this.addresses.base(artifactId, signed);
    const start = buildKindOf(facts, shown) === 'react' ? '' : writePath(shown.entryPath ?? '');
    return {
      frameUrl: `${baseUrl}${start}`,
      baseUrl,
      expiresAt: expiresAt.toISOString(),
      sandbox: frameSandbox(this.addresses.ownOriginPerArtifact),
    };
  }
}
