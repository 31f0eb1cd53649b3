import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { IsString } from 'class-validator';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { BlockClient } from '../../application/commands/block-client.js';
import { RevokeConnectionsOfClient } from '../../application/commands/revoke-connections-of-client.js';
import { UnblockClient } from '../../application/commands/unblock-client.js';
import { ListApps, type ListedApp } from '../../application/queries/list-apps.js';

/** Body of the acts on an app. */
export class ClientBody {
  @IsString({ message: 'must be a string' })
  clientId!: string;
}

/** Apps of the instance, for admins (`identity.md` 7.2, `platform.md` 6). */
@Controller('api/admin/apps')
@UseGuards(AdminGuard)
export class AdminAppsController {
  constructor(
    private readonly apps: ListApps,
    private readonly blockClient: BlockClient,
    private readonly unblockClient: UnblockClient,
    private readonly revokeConnections: RevokeConnectionsOfClient,
  ) {}

  @Get()
  list(@CurrentActor() actor: PersonActor): Promise<{ readonly apps: readonly ListedApp[] }> {
    return this.apps.execute(actor);
  }

  @Post('block')
  @HttpCode(200)
  block(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) body: ClientBody,
  ): Promise<{ readonly changed: boolean }> {
    return this.blockClient.execute(actor, body);
  }

  @Post('unblock')
  @HttpCode(200)
  unblock(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) body: ClientBody,
  ): Promise<{ readonly changed: boolean }> {
    return this.unblockClient.execute(actor, body);
  }

  @Post('revoke')
  @HttpCode(200)
  async revoke(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) body: ClientBody,
  ): Promise<{ readonly revoked: number }> {
    return { revoked: await this.revokeConnections.execute(actor, body) };
  }
}
