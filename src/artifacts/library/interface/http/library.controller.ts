import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { optionalNumber, optionalText, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import { SessionOrBridgeGuard } from '#libs/http/session-or-bridge.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { GetUsage } from '../../application/queries/get-usage.js';
import { ListLibraryPage } from '../../application/queries/library-page.js';
import { ListDeletedArtifacts } from '../../application/queries/list-deleted-artifacts.js';

/** The library as a whole. Its list is open to the command line too. */
@Controller('api/projects/:projectId/artifacts')
@RequireFlag('artifacts.enabled')
export class LibraryController {
  constructor(
    private readonly listPage: ListLibraryPage,
    private readonly listDeleted: ListDeletedArtifacts,
    private readonly getUsage: GetUsage,
  ) {}

  @Get()
  @UseGuards(SessionOrBridgeGuard, FlagGuard)
  async list(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('workspaceId', optionalText) workspaceId: string | null,
    @Query('artifactType', optionalText) artifactType: string | null,
    @Query('origin', optionalText) origin: string | null,
    @Query('archived', optionalText) archived: string | null,
    @Query('search', optionalText) search: string | null,
    @Query('sort', optionalText) sort: string | null,
    @Query('page', optionalNumber) page: number | null,
    @Query('perPage', optionalNumber) perPage: number | null,
  ) {
    return this.listPage.execute(actor, {
      projectId: project,
      workspaceId,
      artifactType,
      origin,
      archived,
      search,
      sort,
      page,
      perPage,
    });
  }

  @Get('deleted')
  @UseGuards(SessionGuard, FlagGuard)
  async deleted(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.listDeleted.execute(actor, { projectId: project });
  }

  @Get('usage')
  @UseGuards(SessionGuard, FlagGuard)
  async usage(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.getUsage.execute(actor, { projectId: project });
  }
}
