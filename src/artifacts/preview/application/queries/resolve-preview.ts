import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
} from '#src/artifacts/library/application/ports/artifact-directory.js';
import type { PreviewPolicy } from '../../domain/preview-headers.js';
import { isRoute, readPath } from '../../domain/preview-path.js';
import type { PreviewTicket } from '../../domain/preview-ticket.js';
import { PreviewAddresses, type RequestPlace } from '../ports/preview-addresses.js';
import type { PreviewFile } from '../ports/preview-builder.js';
import { PreviewHosts } from '../ports/preview-hosts.js';
import { Publications } from '../ports/publications.js';
import { TicketSigner } from '../ports/ticket-signer.js';
import { PreviewAudience } from '../preview-audience.js';
import { VersionPreviews } from '../version-previews.js';

/** What a request of a preview or a live page gets. Every kind carries the policy of its headers. */
export type PreviewAnswer =
  | {
      readonly kind: 'file';
      readonly policy: PreviewPolicy;
      readonly file: PreviewFile;
      /** The address shows these bytes for ever. */
      readonly pinned: boolean;
    }
  | {
      readonly kind: 'note';
      readonly policy: PreviewPolicy;
      readonly status: 404 | 422 | 503;
      readonly title: string;
      readonly sentence: string;
    };

/** Longest wait of a first view for its build. */
const WAIT_MS = 45_000;

/** Finds what the address of a preview or of a live page shows. It knows no session: the ticket is the right. */
@Injectable()
export class ResolvePreview {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly audience: PreviewAudience,
    private readonly signer: TicketSigner,
    private readonly addresses: PreviewAddresses,
    private readonly hosts: PreviewHosts,
    private readonly publications: Publications,
    private readonly previews: VersionPreviews,
    private readonly clock: Clock,
    private readonly flags: Flags,
  ) {}

  async execute(place: Exclude<RequestPlace, { kind: 'application' }>): Promise<PreviewAnswer> {
    return place.kind === 'preview' ? this.ofTicket(place) : this.ofLivePage(place);
  }

  private async ofTicket(place: RequestPlace & { kind: 'preview' }): Promise<PreviewAnswer> {
    const nobody: PreviewPolicy = {
      base: null,
      hosts: [],
      framedBy: this.addresses.framers,
      ownOrigin: false,
      scripts: false,
    };
    const ticket = this.signer.open(place.ticket, this.clock.now());
    const facts = ticket === null ? null : await this.admitted(ticket, place.label);
    if (ticket === null || facts === null) return missing(nobody);
    const policy: PreviewPolicy = {
      base: this.addresses.base(facts.artifactId, place.ticket),
      hosts: await this.hosts.of(facts.projectId),
      framedBy: this.addresses.framers,
      ownOrigin: this.addresses.ownOriginPerArtifact,
      scripts: true,
    };
    if (ticket.version === null && facts.status === 'generating') {
      return note(policy, 503, 'Still generating', 'The artifact is still being generated.');
    }
    return this.fileOf(
      facts,
      ticket.version ?? facts.latestVersion,
      place.path,
      policy,
      ticket.version !== null,
    );
  }

  private async admitted(ticket: PreviewTicket, label: string | null): Promise<ArtifactFacts | null> {
    if (!this.flags.isOn('artifacts.enabled')) return null;
    if (label !== null && label !== ticket.artifactId.replaceAll('-', '')) return null;
    const facts = await this.directory.find(ticket.artifactId);
    if (facts === null || facts.previewEpoch !== ticket.previewEpoch) return null;
    return (await this.audience.stillHolds(facts, ticket.personId)) ? facts : null;
  }

  private async ofLivePage(place: RequestPlace & { kind: 'live' }): Promise<PreviewAnswer> {
    const nobody: PreviewPolicy = { base: null, hosts: [], framedBy: null, ownOrigin: false, scripts: false };
    const on = this.flags.isOn('artifacts.enabled') && this.flags.isOn('artifacts.publish.enabled');
    const publication = on ? await this.published(place.subdomain) : null;
    const facts = publication && (await this.directory.find(publication.artifactId));
    if (!publication || !facts) return missing(nobody);
    const policy: PreviewPolicy = {
      base: this.addresses.liveBase(place.subdomain),
      hosts: await this.hosts.of(facts.projectId),
      framedBy: null,
      ownOrigin: this.addresses.ownOriginPerLivePage,
      scripts: true,
    };
    return this.fileOf(facts, publication.version, place.path, policy, false);
  }

  private async published(subdomain: string) {
    if (!/^[a-z0-9-]{1,63}$/.test(subdomain)) return null;
    const publication = await this.publications.bySubdomain(subdomain);
    return publication?.version == null ? null : publication;
  }

  private async fileOf(
    facts: ArtifactFacts,
    number: number | null,
    rawPath: string,
    policy: PreviewPolicy,
    pinned: boolean,
  ): Promise<PreviewAnswer> {
    const path = readPath(rawPath);
    const version = number === null ? null : await this.directory.version(facts.artifactId, number);
    if (path === null || version === null) return missing(policy);
    try {
      const shown = await this.previews.show(facts, version, WAIT_MS);
      if (shown.state === 'failed') {
        return note(policy, 422, `Version ${version.number} does not build`, shown.error);
      }
      const allowed = { ...policy, scripts: shown.scripts };
      const { entryPath } = shown;
      const found = path === '' ? null : await this.previews.file(shown, path);
      if (found !== null) return { kind: 'file', policy: allowed, file: found, pinned };
      const toStart = path === '' || (facts.artifactType === 'app' && isRoute(path));
      if (path === '' && entryPath === null) {
        return note(
          allowed,
          404,
          'Nothing to render',
          `Version ${version.number} holds no page to start with.`,
        );
      }
      const start = toStart && entryPath !== null ? await this.previews.file(shown, entryPath) : null;
      return start === null ? missing(allowed) : { kind: 'file', policy: allowed, file: start, pinned };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error;
      return note(policy, 503, 'Not ready', error.message);
    }
  }
}

function missing(policy: PreviewPolicy): PreviewAnswer {
  return note(policy, 404, 'Not found', 'There is no file at this address, or the address is out of date.');
}

function note(
  policy: PreviewPolicy,
  status: 404 | 422 | 503,
  title: string,
  sentence: string,
): PreviewAnswer {
  return { kind: 'note', policy, status, title, sentence };
}
