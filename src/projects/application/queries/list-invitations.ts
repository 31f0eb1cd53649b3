import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { MemberRole } from '../../domain/invitation.js';

export interface InvitationView {
  readonly id: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Open invitations, newest first; whether new ones go out by mail. */
@Injectable()
export class ListInvitations {
  constructor(
    private readonly access: ProjectAccess,
    private readonly people: PersonDirectory,
    private readonly mailer: Mailer,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found`, `forbidden`. */
  async execute(
    actor: Actor,
    projectId: string,
  ): Promise<{ readonly invitations: InvitationView[]; readonly mailIsOn: boolean }> {
    await this.access.require(actor, projectId, 'administer');
    const rows = await this.database.query<Omit<InvitationView, 'invitedBy'> & { createdBy: string }>(
      `SELECT id, role, email, created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"
         FROM projects.invitations
        WHERE project_id = $1 AND state = 'open' AND expires_at > $2 ORDER BY created_at DESC, id DESC`,
      [projectId, this.clock.now()],
    );
    const names = await this.people.names([...new Set(rows.map(({ createdBy }) => createdBy))]);
    return {
      invitations: rows.map(({ createdBy, ...row }) => ({ ...row, invitedBy: names.get(createdBy)! })),
      mailIsOn: this.mailer.isOn,
    };
  }
}
