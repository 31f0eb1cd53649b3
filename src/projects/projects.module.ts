import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import { InvitedAddresses } from '#src/identity/application/ports/invited-addresses.js';
import { OverviewCounters } from '#src/platform/application/ports/overview-counters.js';
import { IdentityModule } from '../identity/identity.module.js';
import { AdministeredProjects } from './application/administered-projects.js';
import { AcceptInvitation } from './application/commands/accept-invitation.js';
import { ChangeMemberRole } from './application/commands/change-member-role.js';
import { CreateProject } from './application/commands/create-project.js';
import { DeclineInvitation } from './application/commands/decline-invitation.js';
import { DeleteProject } from './application/commands/delete-project.js';
import { InviteMember } from './application/commands/invite-member.js';
import { RemoveMember } from './application/commands/remove-member.js';
import { ResendInvitation } from './application/commands/resend-invitation.js';
import { RevokeInvitation } from './application/commands/revoke-invitation.js';
import { SetProjectOrigins } from './application/commands/set-project-origins.js';
import { TransferProject } from './application/commands/transfer-project.js';
import { UpdateProject } from './application/commands/update-project.js';
import { InvitationDoor } from './application/invitation-door.js';
import { InvitationLinks } from './application/invitation-links.js';
import { MemberNews } from './application/member-news.js';
import { Invitations } from './application/ports/invitations.js';
import { Memberships } from './application/ports/memberships.js';
import { ProjectHooks } from './application/ports/project-hooks.js';
import { Projects } from './application/ports/projects.js';
import { PublicSuffixes } from './application/ports/public-suffixes.js';
import { SearchLanguages } from './application/ports/search-languages.js';
import { CountForProjects } from './application/queries/count-for-projects.js';
import { GetInvitation } from './application/queries/get-invitation.js';
import { GetProject } from './application/queries/get-project.js';
import { GetProjectSettings } from './application/queries/get-project-settings.js';
import { ListAllProjects } from './application/queries/list-all-projects.js';
import { ListInvitations } from './application/queries/list-invitations.js';
import { ListMembers } from './application/queries/list-members.js';
import { ListProjects } from './application/queries/list-projects.js';
import { ListSearchLanguages } from './application/queries/list-search-languages.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { ProjectsExport } from './infrastructure/projects-export.js';
import { SqlInvitations } from './infrastructure/sql-invitations.js';
import { SqlMemberships } from './infrastructure/sql-memberships.js';
import { SqlProjectAccess } from './infrastructure/sql-project-access.js';
import { SqlProjectDirectory } from './infrastructure/sql-project-directory.js';
import { SqlProjects } from './infrastructure/sql-projects.js';
import { SqlSearchLanguages } from './infrastructure/sql-search-languages.js';
import { TldtsPublicSuffixes } from './infrastructure/tldts-public-suffixes.js';
import { AdminProjectsController } from './interface/http/admin-projects.controller.js';
import { InvitationsController } from './interface/http/invitations.controller.js';
import { MembersController } from './interface/http/members.controller.js';
import { ProjectsController } from './interface/http/projects.controller.js';

const useCases = [
  CreateProject,
  UpdateProject,
  SetProjectOrigins,
  DeleteProject,
  GetProject,
  GetProjectSettings,
  ListProjects,
  ListSearchLanguages,
  CountForProjects,
  ListMembers,
  ListInvitations,
  GetInvitation,
  ListAllProjects,
  InviteMember,
  ResendInvitation,
  RevokeInvitation,
  AcceptInvitation,
  DeclineInvitation,
  ChangeMemberRole,
  RemoveMember,
  TransferProject,
];

/** Projects, their settings and who may do what in them. Global, because every context asks `ProjectAccess`. */
@Global()
@Module({
  imports: [IdentityModule],
  controllers: [ProjectsController, MembersController, InvitationsController, AdminProjectsController],
  providers: [
    ...useCases,
    WhenPersonDeleted,
    ProjectsExport,
    MemberNews,
    InvitationDoor,
    AdministeredProjects,
    InvitationLinks,
    { provide: ProjectHooks, useFactory: () => new ProjectHooks() },
    { provide: ProjectAccess, useClass: SqlProjectAccess },
    { provide: ProjectDirectory, useClass: SqlProjectDirectory },
    { provide: Projects, useClass: SqlProjects },
    { provide: Memberships, useClass: SqlMemberships },
    { provide: Invitations, useClass: SqlInvitations },
    { provide: SearchLanguages, useClass: SqlSearchLanguages },
    { provide: PublicSuffixes, useClass: TldtsPublicSuffixes },
  ],
  exports: [ProjectAccess, ProjectDirectory, ProjectHooks, SearchLanguages, ...useCases],
})
export class ProjectsModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly whenPersonDeleted: WhenPersonDeleted,
    private readonly counters: OverviewCounters,
    private readonly invitedAddresses: InvitedAddresses,
    private readonly offer: GetInvitation,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenPersonDeleted);
    this.invitedAddresses.register((path) => this.offer.addressAt(path));
    this.counters.register('projects', async () => {
      const row = await this.database.one<{ count: number }>(
        'SELECT count(*) FROM projects.projects WHERE deleted_at IS NULL',
      );
      return row!.count;
    });
  }
}
