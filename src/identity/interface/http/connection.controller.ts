import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { BearerGuard, RequireScope } from '#libs/http/bearer.guard.js';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { LabelConnection } from '../../application/commands/label-connection.js';
import { type ConnectionOwner, GetConnectionOwner } from '../../application/queries/get-connection-owner.js';
import { LabelBody } from './connection.dto.js';

/** What the CLI asks about its own login (`identity.md` 7.1). */
@Controller('api')
@UseGuards(BearerGuard)
@RequireScope('agent')
export class ConnectionController {
  constructor(
    private readonly owner: GetConnectionOwner,
    private readonly label: LabelConnection,
  ) {}

  @Get('me')
  me(@CurrentActor() actor: ConnectionActor): Promise<ConnectionOwner> {
    return this.owner.execute(actor);
  }

  @Put('connection/label')
  setLabel(
    @CurrentActor() actor: ConnectionActor,
    @Body(inputPipe) body: LabelBody,
  ): Promise<{ label: string }> {
    return this.label.execute(actor, body);
  }
}
