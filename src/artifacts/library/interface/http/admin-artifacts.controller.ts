import { Controller, Get, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { GetAdminOverview } from '../../application/queries/get-admin-overview.js';

/** What artifacts take on the instance. */
@Controller('api/admin/artifacts')
@UseGuards(AdminGuard)
export class AdminArtifactsController {
  constructor(private readonly overview: GetAdminOverview) {}

  @Get()
  async get(@CurrentActor() actor: Actor) {
    return this.overview.execute(actor);
  }
}
