import type { Configuration } from '#libs/configuration/configuration.js';
import type { Actor, PersonActor } from '#libs/kernel/actor.js';
import { RecordingMailer } from '#libs/kernel/testing/recording-mailer.js';
import type { Database } from '#libs/persistence/database.js';
import { PersonContacts } from '#src/identity/application/ports/person-contacts.js';
import { AdministeredProjects } from '../application/administered-projects.js';
import { AcceptInvitation } from '../application/commands/accept-invitation.js';
import { ChangeMemberRole } from '../application/commands/change-member-role.js';
import { DeclineInvitation } from '../application/commands/decline-invitation.js';
import { InviteMember } from '../application/commands/invite-member.js';
import { RemoveMember } from '../application/commands/remove-member.js';
import { ResendInvitation } from '../application/commands/resend-invitation.js';
import { RevokeInvitation } from '../application/commands/revoke-invitation.js';
import { TransferProject } from '../application/commands/transfer-project.js';
import { InvitationDoor } from '../application/invitation-door.js';
import { InvitationLinks } from '../application/invitation-links.js';
import { MemberNews } from '../application/member-news.js';
import { GetInvitation } from '../application/queries/get-invitation.js';
import { ListInvitations } from '../application/queries/list-invitations.js';
import { ListMembers } from '../application/queries/list-members.js';
import { SqlInvitations } from '../infrastructure/sql-invitations.js';
import { SqlProjects } from '../infrastructure/sql-projects.js';
import { ProjectRig, SilentSignals } from './project-rig.js';

class KnownAddresses extends PersonContacts {
  readonly known = new Map<string, string>();

  override async emails(ids: readonly string[]): Promise<Map<string, string>> {
    return new Map(
      ids.flatMap((id) => {
        const email = this.known.get(id);
        return email ? [[id, email] as const] : [];
      }),
    );
  }
}

/** The people of projects on a real database: who invites, joins, leaves, and what others are told. */
export class MembersRig extends ProjectRig {
  readonly contacts = new KnownAddresses();
  readonly mailer = new RecordingMailer();
  readonly invite: InviteMember;
  readonly resend: ResendInvitation;
  readonly revoke: RevokeInvitation;
  readonly accept: AcceptInvitation;
  readonly decline: DeclineInvitation;
  readonly changeRole: ChangeMemberRole;
  readonly removeMember: RemoveMember;
  readonly transfer: TransferProject;
  readonly members: ListMembers;
  readonly invitations: ListInvitations;
  readonly offer: GetInvitation;

  constructor(database: Database) {
    super(database);
    const { access, memberships, people, contacts, clock, ids, outbox, audit, live, mailer } = this;
    const projects = new SqlProjects(database);
    const stored = new SqlInvitations(database);
    const news = new MemberNews(outbox, audit, live, new SilentSignals());
    const configuration = { url: (path: string) => `https://loupe.example${path}` } as Configuration;
    const links = new InvitationLinks(configuration, mailer, people);
    const administered = new AdministeredProjects(projects, access);
    const door = new InvitationDoor(stored, contacts, clock);
    this.invite = new InviteMember(
      access,
      administered,
      memberships,
      stored,
      people,
      links,
      news,
      database,
      ids,
      clock,
    );
    this.resend = new ResendInvitation(access, administered, stored, links, news, database, clock);
    this.revoke = new RevokeInvitation(access, administered, stored, news, database, clock);
    this.accept = new AcceptInvitation(door, access, projects, memberships, stored, news, database, clock);
    this.decline = new DeclineInvitation(door, stored, news, database, clock);
    this.changeRole = new ChangeMemberRole(access, administered, memberships, stored, news, database, clock);
    this.removeMember = new RemoveMember(
      access,
      projects,
      administered,
      memberships,
      stored,
      news,
      database,
      clock,
    );
    this.transfer = new TransferProject(
      access,
      projects,
      memberships,
      people,
      database,
      outbox,
      audit,
      live,
      clock,
    );
    this.members = new ListMembers(access, people, contacts, database);
    this.invitations = new ListInvitations(access, people, mailer, database, clock);
    this.offer = new GetInvitation(door, access, people, database, clock);
  }

  /** A new person with a verified address. */
  somebody(name: string, email = `${name.toLowerCase()}@example.com`): PersonActor {
    const person = this.person(name);
    this.contacts.known.set(person.personId, email);
    this.people.verified(person.personId, email);
    return person;
  }

  /** A project of a new owner. */
  async project(name = 'Ferry'): Promise<{ id: string; owner: PersonActor }> {
    const owner = this.somebody(`Owner of ${name}`, `${this.ids.next()}@example.com`);
    const { id } = await this.create.execute(owner, { name });
    return { id, owner };
  }

  /** The token of a fresh invitation. */
  async tokenFor(actor: Actor, projectId: string, role: string, email?: string): Promise<string> {
    const { url } = await this.invite.execute(actor, { projectId, role, email });
    return tokenOf(url);
  }
}

export function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
