import { Body, Controller, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { projectId as knownProject } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { PublishArtifact, type PublishedApp } from '../../application/commands/publish-artifact.js';
import { SetPreviewHosts } from '../../application/commands/set-preview-hosts.js';
import { UnpublishArtifact } from '../../application/commands/unpublish-artifact.js';
import { GetPreviewHosts } from '../../application/queries/get-preview-hosts.js';
import { PreviewHostsBody, PublishBody } from './publishing.dto.js';

/** Live pages of a project, and the hosts that its previews may use (`artifacts.md` 11.1). */
@Controller('api/projects/:projectId/artifacts')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class PublishingController {
  constructor(
    private readonly publishArtifact: PublishArtifact,
    private readonly unpublishArtifact: UnpublishArtifact,
    private readonly getHosts: GetPreviewHosts,
    private readonly setHosts: SetPreviewHosts,
  ) {}

  @Get('preview-hosts')
  async hosts(@CurrentActor() actor: Actor, @Param('projectId', knownProject) projectId: string) {
    return { origins: await this.getHosts.execute(actor, projectId) };
  }

  @Put('preview-hosts')
  async replaceHosts(
    @CurrentActor() actor: Actor,
    @Param('projectId', knownProject) projectId: string,
    @Body(inputPipe) { origins }: PreviewHostsBody,
  ) {
    return { origins: await this.setHosts.execute(actor, { projectId, origins }) };
  }

  @Post(':artifactId/publish')
  @HttpCode(200)
  async publish(
    @CurrentActor() actor: Actor,
    @Param('projectId', knownProject) projectId: string,
    @Param('artifactId') artifactId: string,
    @Body(inputPipe) { version }: PublishBody,
  ): Promise<PublishedApp> {
    return this.publishArtifact.execute(actor, { projectId, artifactId, version });
  }

  @Post(':artifactId/unpublish')
  @HttpCode(200)
  async unpublish(
    @CurrentActor() actor: Actor,
    @Param('projectId', knownProject) projectId: string,
    @Param('artifactId') artifactId: string,
  ) {
    const changed = await this.unpublishArtifact.execute(actor, { projectId, artifactId });
    return { published: false, changed };
  }
}
