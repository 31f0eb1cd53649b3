import { Controller, Get, UseGuards } from '@nestjs/common';
import { BearerGuard, RequireScope } from '#libs/http/bearer.guard.js';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ListHeldCards } from '../../application/queries/list-held-cards.js';

/** What bridges ask of cards over all projects that they serve. */
@Controller('api/card-holds')
@UseGuards(BearerGuard, FlagGuard)
@RequireScope('agent')
@RequireFlag('board.enabled')
export class CardHoldsController {
  constructor(private readonly listHeld: ListHeldCards) {}

  @Get()
  async holds(@CurrentActor() actor: Actor) {
    return this.listHeld.execute(actor);
  }
}
