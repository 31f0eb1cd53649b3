import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import { OverviewCounters } from '#src/platform/application/ports/overview-counters.js';
import { IdentityModule } from '../identity/identity.module.js';
import { CreateProject } from './application/commands/create-project.js';
import { DeleteProject } from './application/commands/delete-project.js';
import { SetProjectOrigins } from './application/commands/set-project-origins.js';
import { UpdateProject } from './application/commands/update-project.js';
import { ProjectHooks } from './application/ports/project-hooks.js';
import { Memberships, Projects } from './application/ports/projects.js';
import { PublicSuffixes } from './application/ports/public-suffixes.js';
import { SearchLanguages } from './application/ports/search-languages.js';
import { CountForProjects } from './application/queries/count-for-projects.js';
import { GetProject } from './application/queries/get-project.js';
import { GetProjectSettings } from './application/queries/get-project-settings.js';
import { ListProjects } from './application/queries/list-projects.js';
import { ListSearchLanguages } from './application/queries/list-search-languages.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { SqlMemberships } from './infrastructure/sql-memberships.js';
import { SqlProjectAccess } from './infrastructure/sql-project-access.js';
import { SqlProjectDirectory } from './infrastructure/sql-project-directory.js';
import { SqlProjects } from './infrastructure/sql-projects.js';
import { SqlSearchLanguages } from './infrastructure/sql-search-languages.js';
import { TldtsPublicSuffixes } from './infrastructure/tldts-public-suffixes.js';
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
];

/** Projects, their settings and who may do what in them. Global, because every context asks `ProjectAccess`. */
@Global()
@Module({
  imports: [IdentityModule],
  controllers: [ProjectsController],
  providers: [
    ...useCases,
    WhenPersonDeleted,
    { provide: ProjectHooks, useFactory: () => new ProjectHooks() },
    { provide: ProjectAccess, useClass: SqlProjectAccess },
    { provide: ProjectDirectory, useClass: SqlProjectDirectory },
    { provide: Projects, useClass: SqlProjects },
    { provide: Memberships, useClass: SqlMemberships },
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
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenPersonDeleted);
    this.counters.register('projects', async () => {
      const row = await this.database.one<{ count: number }>(
        'SELECT count(*) FROM projects.projects WHERE deleted_at IS NULL',
      );
      return row!.count;
    });
  }
}
