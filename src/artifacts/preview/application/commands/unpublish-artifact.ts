import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, notFound, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
} from '#src/artifacts/library/application/ports/artifact-directory.js';
import { LibraryHooks } from '#src/artifacts/library/application/ports/library-hooks.js';
import { Publications } from '../ports/publications.js';
import { refuseWorkers, requirePublishing, tell } from './publish-artifact.js';

const REASON_MAX = 500;

/** Takes a live page down. Its address answers 404 from then on and stays reserved. */
@Injectable()
export class UnpublishArtifact {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly publications: Publications,
    private readonly hooks: LibraryHooks,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly flags: Flags,
  ) {}

  /** False when it was not published. @throws DomainError `not-found`, `forbidden`, `switched-off`. */
  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly artifactId: string },
  ): Promise<boolean> {
    requirePublishing(this.flags);
    const facts = await this.directory.require(actor, input.artifactId, 'write', input.projectId);
    await refuseWorkers(this.hooks, actor);
    return this.takeDown(actor, facts, null);
  }

  /**
   * For instance admins, who need no right in the project; `reason` is shown to its people.
   * @throws DomainError `not-found`; InvalidInput for a reason that is blank or over 500 characters.
   */
  async byAdmin(
    actor: Actor,
    input: { readonly artifactId: string; readonly reason: string },
  ): Promise<boolean> {
    requireAdmin(actor, 'Artifact');
    if (!this.flags.isOn('artifacts.enabled'))
      throw new DomainError('switched-off', 'switched_off', this.flags.refusal('artifacts.enabled'));
    const problems = new Problems();
    const reason = input.reason.trim();
    if (reason === '' || [...reason].length > REASON_MAX)
      problems.add('reason', `must have 1 to ${REASON_MAX} characters.`);
    problems.throwIfAny();
    const facts = isUuid(input.artifactId) ? await this.directory.find(input.artifactId.toLowerCase()) : null;
    // What is not published shows nothing about itself, not even that it exists.
    if (facts === null || (await this.publications.of(facts.artifactId)) === null) throw notFound('Artifact');
    return this.takeDown(actor, facts, reason);
  }

  private async takeDown(actor: Actor, facts: ArtifactFacts, reason: string | null): Promise<boolean> {
    return this.work.run(async () => {
      const publication = await this.publications.of(facts.artifactId, { lock: true });
      if (publication === null || publication.version === null) return false;
      await this.publications.save({ ...publication, version: null, takenDownReason: reason });
      await this.outbox.publish(actor, {
        type: 'ArtifactUnpublished',
        aggregateId: facts.artifactId,
        projectId: facts.projectId,
        payload: { subdomain: publication.subdomain, byAdmin: reason !== null },
      });
      await this.audit.record(actor, {
        operation: 'artifact.unpublished',
        subjectType: 'artifact',
        subjectId: facts.artifactId,
        projectId: facts.projectId,
        context: { subdomain: publication.subdomain, byAdmin: reason !== null },
      });
      await tell(this.live, facts);
      return true;
    });
  }
}
