import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { RevokeOwnConnection } from '../../application/commands/revoke-own-connection.js';
import { RevokeOwnConnections } from '../../application/commands/revoke-own-connections.js';
import { type ConnectionGroup, ListConnections } from '../../application/queries/list-connections.js';
import { RevokeConnectionsBody } from './connection.dto.js';

/** Connected apps of the signed-in person (`identity.md` 7.2). */
@Controller('api/account/connections')
@UseGuards(SessionGuard)
export class AccountConnectionsController {
  constructor(
    private readonly list: ListConnections,
    private readonly revokeOne: RevokeOwnConnection,
    private readonly revokeMany: RevokeOwnConnections,
  ) {}

  @Get()
  show(@CurrentActor() actor: PersonActor): Promise<{ groups: ConnectionGroup[] }> {
    return this.list.execute(actor);
  }

  @Delete(':id')
  @HttpCode(204)
  async revoke(@CurrentActor() actor: PersonActor, @Param('id') connectionId: string): Promise<void> {
    await this.revokeOne.execute(actor, { connectionId });
  }

  @Post('revoke')
  @HttpCode(200)
  async revokeGroup(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) body: RevokeConnectionsBody,
  ): Promise<{ revoked: number }> {
    const { clientId, label, projectId } = body;
    const revoked = await this.revokeMany.execute(
      actor,
      body.all === true ? { all: true } : { clientId: clientId!, label, projectId },
    );
    return { revoked };
  }
}
