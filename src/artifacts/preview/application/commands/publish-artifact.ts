import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
  type VersionFacts,
} from '#src/artifacts/library/application/ports/artifact-directory.js';
import { LibraryHooks } from '#src/artifacts/library/application/ports/library-hooks.js';
import { archived, generating, unknownVersion, workerStores } from '../../domain/refusals.js';
import { drawSubdomain } from '../../domain/subdomain.js';
import { PreviewAddresses } from '../ports/preview-addresses.js';
import { type Publication, Publications } from '../ports/publications.js';
import { VersionPreviews } from '../version-previews.js';

export interface PublishInput {
  readonly projectId: string;
  readonly artifactId: string;
  /** Only `webapp`. */
  readonly mode?: string;
  /** Default is the latest. */
  readonly version?: number;
}

export interface PublishedApp {
  readonly liveUrl: string;
  readonly subdomain: string;
  readonly version: number;
}

/** Longest wait for a build, in milliseconds. */
const WAIT_MS = 45_000;
const DRAWS = 8;

/** Publishes one version of an app as a live page, or moves the page to another version (`artifacts.md` 7.7). */
@Injectable()
export class PublishArtifact {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly publications: Publications,
    private readonly previews: VersionPreviews,
    private readonly hooks: LibraryHooks,
    private readonly addresses: PreviewAddresses,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
    private readonly flags: Flags,
  ) {}

  /**
   * @throws DomainError `not-found`, `forbidden`, `switched-off`, `conflict` `archived`, `generating`, `does_not_build`,
   *   `nothing_to_publish`; `unavailable` after 45 s of building; InvalidInput.
   */
  async execute(actor: Actor, input: PublishInput): Promise<PublishedApp> {
    requirePublishing(this.flags);
    const facts = await this.directory.require(actor, input.artifactId, 'write', input.projectId);
    await refuseWorkers(this.hooks, actor);
    const version = await this.checked(facts, input);
    return this.work.run(async () => {
      const before = await this.publications.of(facts.artifactId, { lock: true });
      const publication = before ?? (await this.reserve(actor, facts, version.number));
      const { subdomain } = publication;
      const answer = { liveUrl: this.addresses.liveBase(subdomain), subdomain, version: version.number };
      if (before !== null) {
        if (before.version === version.number) return answer;
        await this.publications.save({ ...before, ...this.publishing(actor, version.number) });
      }
      await this.outbox.publish(actor, {
        type: 'ArtifactPublished',
        aggregateId: facts.artifactId,
        projectId: facts.projectId,
        payload: { version: version.number, subdomain },
      });
      await this.audit.record(actor, {
        operation: 'artifact.published',
        subjectType: 'artifact',
        subjectId: facts.artifactId,
        projectId: facts.projectId,
        context: { version: version.number, subdomain },
      });
      await tell(this.live, facts);
      return answer;
    });
  }

  private async checked(facts: ArtifactFacts, input: PublishInput): Promise<VersionFacts> {
    const problems = new Problems();
    if (input.mode !== undefined && input.mode !== 'webapp') problems.add('mode', 'must be webapp.');
    if (facts.artifactType !== 'app')
      problems.add('sessionId', `names an artifact of type ${facts.artifactType}; only an app is published.`);
    problems.throwIfAny();
    if (facts.archived) throw archived();
    if (facts.latestVersion === null || facts.status === 'generating') throw generating();
    const number = input.version ?? facts.latestVersion;
    const version = await this.directory.version(facts.artifactId, number);
    if (version === null) throw unknownVersion(number, facts.latestVersion);
    const shown = await this.previews.show(facts, version, WAIT_MS);
    if (shown.state === 'failed')
      throw conflict('does_not_build', `Version ${number} does not build: ${shown.error}`);
    const start = shown.entryPath === null ? null : await this.previews.file(shown, shown.entryPath);
    // A README that stands in for a page is no app.
    if (start?.contentType !== 'text/html' || !shown.scripts)
      throw conflict('nothing_to_publish', `Nothing to publish: version ${number} has no index.html.`);
    return version;
  }

  private async reserve(actor: Actor, facts: ArtifactFacts, version: number): Promise<Publication> {
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const publication: Publication = {
        artifactId: facts.artifactId,
        projectId: facts.projectId,
        subdomain: drawSubdomain(facts.name, (below) => randomInt(below)),
        ...this.publishing(actor, version),
      };
      if (await this.publications.add(publication)) return publication;
      // Somebody published the same artifact at the same moment.
      const other = await this.publications.of(facts.artifactId, { lock: true });
      if (other !== null) {
        const moved = { ...other, ...this.publishing(actor, version) };
        await this.publications.save(moved);
        return moved;
      }
    }
    throw new DomainError('unavailable', 'unavailable', 'No free address was found. Try again.');
  }

  private publishing(actor: Actor, version: number) {
    return {
      version,
      publishedAt: this.clock.now(),
      publishedBy: personIdOf(actor),
      takenDownReason: null,
    };
  }
}

/** @throws DomainError `switched-off` */
export function requirePublishing(flags: Flags): void {
  for (const name of ['artifacts.enabled', 'artifacts.publish.enabled']) {
    if (!flags.isOn(name)) throw new DomainError('switched-off', 'switched_off', flags.refusal(name));
  }
}

/** A worker's session shows nothing to the world. @throws DomainError `forbidden` */
export async function refuseWorkers(hooks: LibraryHooks, actor: Actor): Promise<void> {
  if (actor.kind === 'connection' && (await hooks.isWorkerSession(actor.agentSessionId)))
    throw workerStores();
}

/** Pages that show the artifact ask again. */
export async function tell(live: LiveUpdates, facts: ArtifactFacts): Promise<void> {
  await live.publish(`project:${facts.projectId}:artifacts`, {
    type: 'artifact',
    subjectId: facts.artifactId,
  });
}
