import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { UnpublishArtifact } from '../../application/commands/unpublish-artifact.js';
import { TakeDownBody } from './publishing.dto.js';

/** What an instance admin may do with the live pages of others: take them down. */
@Controller('api/admin/artifacts')
@UseGuards(AdminGuard)
export class AdminPublicationsController {
  constructor(private readonly unpublishArtifact: UnpublishArtifact) {}

  @Post(':artifactId/unpublish')
  @HttpCode(200)
  async takeDown(
    @CurrentActor() actor: Actor,
    @Param('artifactId') artifactId: string,
    @Body(inputPipe) { reason }: TakeDownBody,
  ) {
    const changed = await this.unpublishArtifact.byAdmin(actor, { artifactId, reason });
    return { published: false, changed };
  }
}
