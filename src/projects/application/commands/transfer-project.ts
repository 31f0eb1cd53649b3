import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, forbidden, InvalidInput, notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { Project } from '../../domain/project.js';
import { OWNED_PROJECTS_MAX } from '../../domain/project-limits.js';
import { Memberships } from '../ports/memberships.js';
import { Projects } from '../ports/projects.js';

/** Gives a project to another owner. The old owner becomes maintainer; connections stay and act with the new roles. */
@Injectable()
export class TransferProject {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly memberships: Memberships,
    private readonly people: PersonDirectory,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {}

  /** By the owner, to a member. @throws DomainError `forbidden`, `not_a_member`, `too_many`. */
  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly personId: string },
  ): Promise<void> {
    await this.access.require(actor, input.projectId, 'read');
    await this.unitOfWork.run(async () => {
      const project = await this.projects.find(input.projectId);
      if (!project) throw notFound('Project');
      if (actor.kind !== 'person' || personIdOf(actor) !== project.state.ownerId) {
        throw forbidden('Only the owner may transfer a project.');
      }
      const member = isUuid(input.personId)
        ? await this.memberships.find(input.projectId, input.personId)
        : null;
      if (!member || !(await this.people.isActive(member.personId))) {
        throw conflict('not_a_member', 'Only a member can become the owner. Invite the person first.');
      }
      await this.transfer(actor, project, member.personId);
    });
  }

  /** By an administrator, for an owner who left, to any active person. @throws InvalidInput; DomainError `not-found`. */
  async executeForAdmin(
    actor: Actor,
    input: { readonly projectId: string; readonly newOwnerEmail: string },
  ): Promise<void> {
    requireAdmin(actor, 'Project');
    await this.unitOfWork.run(async () => {
      const project = isUuid(input.projectId) ? await this.projects.find(input.projectId) : null;
      if (!project) throw notFound('Project');
      const person = await this.people.byVerifiedEmail(input.newOwnerEmail);
      if (!person) {
        throw new InvalidInput([
          { argument: 'newOwnerEmail', sentence: 'No active person has this address.' },
        ]);
      }
      if (person.id !== project.state.ownerId) await this.transfer(actor, project, person.id);
    });
  }

  private async transfer(actor: Actor, project: Project, newOwnerId: string): Promise<void> {
    const now = this.clock.now();
    const before = project.state;
    await this.projects.lockOwner(newOwnerId);
    const taken = await this.projects.slugsOf(newOwnerId);
    if (taken.size >= OWNED_PROJECTS_MAX) {
      throw conflict('too_many', `Nobody may own more than ${OWNED_PROJECTS_MAX} projects.`);
    }
    project.transfer(newOwnerId, taken, now);
    await this.memberships.remove(before.id, newOwnerId);
    await this.projects.save(project);
    await this.memberships.add({
      projectId: before.id,
      personId: before.ownerId,
      role: 'maintainer',
      invitedBy: null,
      joinedAt: before.createdAt,
    });
    const after = project.state;
    const facts = {
      projectId: after.id,
      oldOwnerId: before.ownerId,
      newOwnerId,
      oldSlug: before.slug,
      newSlug: after.slug,
    };
    await this.outbox.publish(actor, {
      type: 'ProjectTransferred',
      aggregateId: after.id,
      projectId: after.id,
      personId: newOwnerId,
      payload: facts,
    });
    await this.audit.record(actor, {
      operation: 'project.transferred',
      subjectType: 'project',
      subjectId: after.id,
      projectId: after.id,
      context: { oldOwnerId: before.ownerId, newOwnerId, newSlug: after.slug },
    });
    await this.live.publish(`project:${after.id}`, {
      type: 'settings',
      subjectId: after.id,
      version: after.version,
    });
    for (const id of [before.ownerId, newOwnerId]) {
      await this.live.publish(`me:${id}`, { type: 'projects', subjectId: after.id });
    }
  }
}
