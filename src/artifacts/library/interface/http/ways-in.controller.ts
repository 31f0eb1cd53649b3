import { Body, Controller, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { CreateArtifact } from '../../application/commands/create-artifact.js';
import { MintGitToken } from '../../application/commands/mint-git-token.js';
import { ReserveUpload } from '../../application/commands/reserve-upload.js';
import { DownloadVersion } from '../../application/queries/download-version.js';
import { artifactNotFound, unknownVersion } from '../../domain/refusals.js';
import { CreateArtifactBody, MintGitTokenBody, ReserveUploadBody } from './ways-in.dto.js';

/** New artifacts, places for uploads, git addresses and downloads, for the pages (`artifacts.md` 11.1). */
@Controller('api/projects/:projectId/artifacts')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class WaysInController {
  constructor(
    private readonly createArtifact: CreateArtifact,
    private readonly reserveUpload: ReserveUpload,
    private readonly mintGitToken: MintGitToken,
    private readonly downloadVersion: DownloadVersion,
  ) {}

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: CreateArtifactBody,
  ) {
    return this.createArtifact.execute(actor, { ...body, projectId: known(projectId) });
  }

  @Post('uploads')
  async reserve(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: ReserveUploadBody,
  ) {
    return this.reserveUpload.execute(actor, { ...body, projectId: known(projectId) });
  }

  @Post(':id/git-token')
  async gitToken(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('id') artifactId: string,
    @Body(inputPipe) body: MintGitTokenBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ) {
    response.setHeader('Cache-Control', 'no-store');
    return this.mintGitToken.execute(actor, { ...body, projectId: known(projectId), artifactId });
  }

  @Get(':id/versions/:number.zip')
  async download(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('id') artifactId: string,
    @Param('number') number: string,
    @Res() response: HttpResponse,
  ): Promise<void> {
    if (!/^[1-9]\d{0,8}$/.test(number)) throw unknownVersion(0, null);
    const { fileName, content } = await this.downloadVersion.execute(actor, {
      projectId: known(projectId),
      artifactId,
      version: Number(number),
    });
    response.setHeader('Content-Type', 'application/zip');
    response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'private, no-cache, no-transform');
    content.on('error', () => response.destroy());
    response.once('close', () => content.destroy());
    content.pipe(response);
  }
}

function known(projectId: string): string {
  if (!isUuid(projectId)) throw artifactNotFound();
  return projectId.toLowerCase();
}
