import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { TransferProject } from '../../application/commands/transfer-project.js';
import { ListAllProjects, type ProjectLine } from '../../application/queries/list-all-projects.js';
import { AdminTransferBody, AllProjectsQuery } from './members.dto.js';

/** Projects of the whole instance, for admins (`platform.md` 6). */
@Controller('api/admin/projects')
@UseGuards(AdminGuard)
export class AdminProjectsController {
  constructor(
    private readonly listAll: ListAllProjects,
    private readonly transferProject: TransferProject,
  ) {}

  @Get()
  async list(
    @CurrentActor() actor: Actor,
    @Query(inputPipe) query: AllProjectsQuery,
  ): Promise<{
    projects: readonly ProjectLine[];
    page: number;
    perPage: number;
    hasMore: boolean;
    total: number;
  }> {
    const { items, page, perPage, hasMore, total } = await this.listAll.execute(actor, query);
    return { projects: items, page, perPage, hasMore, total: total ?? 0 };
  }

  @Post(':id/transfer')
  @HttpCode(204)
  async transfer(
    @CurrentActor() actor: Actor,
    @Param('id') projectId: string,
    @Body(inputPipe) body: AdminTransferBody,
  ): Promise<void> {
    await this.transferProject.executeForAdmin(actor, { projectId, newOwnerEmail: body.newOwnerEmail });
  }
}
