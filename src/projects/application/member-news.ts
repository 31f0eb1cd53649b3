import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import type { MemberRole } from '../domain/invitation.js';
import type { Membership } from './ports/memberships.js';

/** Tells everybody whom it concerns that the people of a project changed; runs in the transaction of the change. */
@Injectable()
export class MemberNews {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly signals: Signals,
  ) {}

  async added(actor: Actor, { projectId, personId, role }: Membership): Promise<void> {
    await this.event(actor, 'MemberAdded', { projectId, personId, role });
    await this.record(actor, 'member.added', projectId, personId, { role });
    await this.refresh(projectId, personId);
  }

  async roleChanged(actor: Actor, membership: Membership, before: MemberRole): Promise<void> {
    const { projectId, personId, role } = membership;
    await this.event(actor, 'MemberRoleChanged', { projectId, personId, role, oldRole: before });
    await this.record(actor, 'member.role_changed', projectId, personId, { old: before, new: role });
    await this.signals.publish('access', { projectId, personId, cause: 'MemberRoleChanged' });
    await this.refresh(projectId, personId);
  }

  /** `by` is null when the person left by themselves. */
  async removed(actor: Actor, { projectId, personId, role }: Membership, by: string | null): Promise<void> {
    await this.event(actor, 'MemberRemoved', { projectId, personId, role, by });
    await this.record(actor, by === null ? 'member.left' : 'member.removed', projectId, personId, { role });
    await this.signals.publish('access', { projectId, personId, cause: 'MemberRemoved' });
    await this.refresh(projectId, personId);
  }

  async invitation(
    actor: Actor,
    operation: 'member.invited' | 'member.invitation_revoked' | 'member.invitation_declined',
    invitation: { readonly id: string; readonly projectId: string; readonly role: MemberRole },
  ): Promise<void> {
    const { id, projectId, role } = invitation;
    // The address stays out of the log.
    await this.audit.record(actor, {
      operation,
      subjectType: 'invitation',
      subjectId: id,
      projectId,
      context: { role },
    });
    await this.live.publish(`project:${projectId}`, { type: 'members', subjectId: projectId });
  }

  private async event(
    actor: Actor,
    type: string,
    payload: { readonly projectId: string; readonly personId: string } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { projectId, personId } = payload;
    await this.outbox.publish(actor, { type, aggregateId: projectId, projectId, personId, payload });
  }

  private async record(
    actor: Actor,
    operation: string,
    projectId: string,
    personId: string,
    context: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.audit.record(actor, {
      operation,
      subjectType: 'person',
      subjectId: personId,
      projectId,
      context,
    });
  }

  /** Lists of members, and the person's own list of projects. */
  private async refresh(projectId: string, personId: string): Promise<void> {
    await this.live.publish(`project:${projectId}`, { type: 'members', subjectId: personId });
    await this.live.publish(`me:${personId}`, { type: 'projects', subjectId: projectId });
  }
}
