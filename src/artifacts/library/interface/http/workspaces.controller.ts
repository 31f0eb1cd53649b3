import { Body, Controller, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ArchiveWorkspace } from '../../application/commands/archive-workspace.js';
import { ChangeWorkspace } from '../../application/commands/change-workspace.js';
import { CreateWorkspace } from '../../application/commands/create-workspace.js';
import { ListWorkspacesPage } from '../../application/queries/list-workspaces.js';
import { WorkspaceBody } from './artifacts.dto.js';
import { workspaceId } from './library-values.js';

/** Shelves of the library; those who administer the project change them. */
@Controller('api/projects/:projectId/artifacts/workspaces')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class WorkspacesController {
  constructor(
    private readonly listWorkspaces: ListWorkspacesPage,
    private readonly createWorkspace: CreateWorkspace,
    private readonly changeWorkspace: ChangeWorkspace,
    private readonly archiveWorkspace: ArchiveWorkspace,
  ) {}

  @Get()
  async list(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.listWorkspaces.execute(actor, { projectId: project });
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: WorkspaceBody,
  ) {
    return this.createWorkspace.execute(actor, { ...body, projectId: project });
  }

  @Patch(':id')
  async change(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', workspaceId) id: string,
    @Body(inputPipe) body: WorkspaceBody,
  ) {
    return this.changeWorkspace.execute(actor, { ...body, projectId: project, workspaceId: id });
  }

  @Post(':id/archive')
  @HttpCode(200)
  async archive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', workspaceId) id: string,
  ) {
    return this.archiveWorkspace.execute(actor, { projectId: project, workspaceId: id, archived: true });
  }

  @Post(':id/unarchive')
  @HttpCode(200)
  async unarchive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', workspaceId) id: string,
  ) {
    return this.archiveWorkspace.execute(actor, { projectId: project, workspaceId: id, archived: false });
  }
}
