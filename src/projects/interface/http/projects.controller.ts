import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { CreateProject } from '../../application/commands/create-project.js';
import { DeleteProject } from '../../application/commands/delete-project.js';
import {
  SetProjectOrigins,
  type SetProjectOriginsResult,
} from '../../application/commands/set-project-origins.js';
import { UpdateProject } from '../../application/commands/update-project.js';
import { GetProject, type ProjectDetails } from '../../application/queries/get-project.js';
import { ListProjects, type ProjectTile } from '../../application/queries/list-projects.js';
import { ListSearchLanguages } from '../../application/queries/list-search-languages.js';
import { CreateProjectBody, DeleteProjectBody, SetOriginsBody, UpdateProjectBody } from './project.dto.js';

/** Projects for the browser (`platform.md` 3.8). */
@Controller('api')
@UseGuards(SessionGuard)
export class ProjectsController {
  constructor(
    private readonly listProjects: ListProjects,
    private readonly getProject: GetProject,
    private readonly createProject: CreateProject,
    private readonly updateProject: UpdateProject,
    private readonly setOrigins: SetProjectOrigins,
    private readonly deleteProject: DeleteProject,
    private readonly listLanguages: ListSearchLanguages,
  ) {}

  @Get('projects')
  async list(@CurrentActor() actor: Actor): Promise<{ projects: ProjectTile[] }> {
    return { projects: await this.listProjects.execute(actor) };
  }

  @Post('projects')
  async create(
    @CurrentActor() actor: Actor,
    @Body(inputPipe) body: CreateProjectBody,
  ): Promise<ProjectDetails> {
    const project = await this.createProject.execute(actor, {
      name: body.name,
      description: body.description ?? undefined,
      searchLanguage: body.searchLanguage ?? undefined,
      templateKey: body.templateKey ?? undefined,
    });
    return this.getProject.execute(actor, project.id);
  }

  @Get('projects/:projectId')
  async get(@CurrentActor() actor: Actor, @Param('projectId') projectId: string): Promise<ProjectDetails> {
    return this.getProject.execute(actor, projectId);
  }

  @Patch('projects/:projectId')
  async update(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: UpdateProjectBody,
  ): Promise<ProjectDetails & { slugNote: string | null }> {
    const { version: expectedVersion, name, description, domain, searchLanguage } = body;
    const { slugNote } = await this.updateProject.execute(actor, {
      projectId,
      changes: { name, description, domain: domain === null ? '' : domain, searchLanguage },
      expectedVersion,
    });
    return { ...(await this.getProject.execute(actor, projectId)), slugNote };
  }

  @Put('projects/:projectId/origins')
  async replaceOrigins(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: SetOriginsBody,
  ): Promise<SetProjectOriginsResult> {
    return this.setOrigins.execute(actor, {
      projectId,
      origins: body.origins,
      expectedVersion: body.version,
    });
  }

  @Post('projects/:projectId/delete')
  @HttpCode(202)
  async delete(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: DeleteProjectBody,
  ): Promise<void> {
    await this.deleteProject.execute(actor, { projectId, typedName: body.typedName });
  }

  @Get('search-languages')
  async searchLanguages(): Promise<{ languages: string[] }> {
    return { languages: await this.listLanguages.execute() };
  }
}
