import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { optionalNumber, projectId, versionNumber } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import { SessionOrBridgeGuard } from '#libs/http/session-or-bridge.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ArchiveArtifact } from '../../application/commands/archive-artifact.js';
import { DeleteArtifact } from '../../application/commands/delete-artifact.js';
import { DuplicateArtifact } from '../../application/commands/duplicate-artifact.js';
import { EditArtifact } from '../../application/commands/edit-artifact.js';
import { RestoreVersion } from '../../application/commands/restore-version.js';
import { SetArtifactCards } from '../../application/commands/set-artifact-cards.js';
import { UnarchiveArtifact } from '../../application/commands/unarchive-artifact.js';
import { UndeleteArtifact } from '../../application/commands/undelete-artifact.js';
import { UpdateMetadata } from '../../application/commands/update-metadata.js';
import { GetArtifactPage } from '../../application/queries/get-artifact-page.js';
import { CardsBody, ChangeArtifactBody, DuplicateBody, EditBody } from './artifacts.dto.js';
import { artifactId } from './library-values.js';

/** One artifact for the browser; reading it is open to the command line too. */
@Controller('api/projects/:projectId/artifacts/:id')
@RequireFlag('artifacts.enabled')
export class ArtifactsController {
  constructor(
    private readonly getPage: GetArtifactPage,
    private readonly updateMetadata: UpdateMetadata,
    private readonly archiveArtifact: ArchiveArtifact,
    private readonly unarchiveArtifact: UnarchiveArtifact,
    private readonly duplicateArtifact: DuplicateArtifact,
    private readonly deleteArtifact: DeleteArtifact,
    private readonly undeleteArtifact: UndeleteArtifact,
    private readonly setCards: SetArtifactCards,
    private readonly editArtifact: EditArtifact,
    private readonly restoreVersion: RestoreVersion,
  ) {}

  @Get()
  @UseGuards(SessionOrBridgeGuard, FlagGuard)
  async get(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Query('version', optionalNumber) version: number | null,
  ) {
    return this.getPage.execute(actor, { projectId: project, artifactId: id, version });
  }

  @Patch()
  @UseGuards(SessionGuard, FlagGuard)
  async change(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Body(inputPipe) { version, ...body }: ChangeArtifactBody,
  ) {
    try {
      await this.updateMetadata.execute(actor, {
        ...body,
        edit: version,
        projectId: project,
        artifactId: id,
      });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'stale') {
        const current = await this.page(actor, project, id);
        throw new DomainError(error.kind, error.code, error.message, { current });
      }
      throw error;
    }
    return this.page(actor, project, id);
  }

  @Post('archive')
  @HttpCode(200)
  @UseGuards(SessionGuard, FlagGuard)
  async archive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
  ) {
    return this.archiveArtifact.execute(actor, { projectId: project, artifactId: id });
  }

  @Post('unarchive')
  @HttpCode(200)
  @UseGuards(SessionGuard, FlagGuard)
  async unarchive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
  ) {
    return this.unarchiveArtifact.execute(actor, { projectId: project, artifactId: id });
  }

  @Post('duplicate')
  @UseGuards(SessionGuard, FlagGuard)
  async duplicate(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Body(inputPipe) body: DuplicateBody,
  ) {
    const copy = await this.duplicateArtifact.execute(actor, { ...body, projectId: project, artifactId: id });
    return this.page(actor, project, copy.artifactId);
  }

  @Delete()
  @HttpCode(202)
  @UseGuards(SessionGuard, FlagGuard)
  async delete(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
  ) {
    return this.deleteArtifact.execute(actor, { projectId: project, artifactId: id });
  }

  @Post('undelete')
  @HttpCode(200)
  @UseGuards(SessionGuard, FlagGuard)
  async undelete(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
  ) {
    await this.undeleteArtifact.execute(actor, { projectId: project, artifactId: id });
    return this.page(actor, project, id);
  }

  @Put('cards')
  @UseGuards(SessionGuard, FlagGuard)
  async cards(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Body(inputPipe) body: CardsBody,
  ) {
    return this.setCards.execute(actor, { ...body, projectId: project, artifactId: id });
  }

  @Post('edits')
  @HttpCode(200)
  @UseGuards(SessionGuard, FlagGuard)
  async edit(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Body(inputPipe) body: EditBody,
  ) {
    return this.editArtifact.execute(actor, { ...body, projectId: project, artifactId: id });
  }

  @Post('versions/:number/restore')
  @UseGuards(SessionGuard, FlagGuard)
  async restore(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Param('number', versionNumber) version: number,
  ) {
    return this.restoreVersion.execute(actor, { projectId: project, artifactId: id, version });
  }

  private page(actor: Actor, project: string, id: string) {
    return this.getPage.execute(actor, { projectId: project, artifactId: id });
  }
}
