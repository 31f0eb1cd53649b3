import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { projectId } from '#libs/http/request-values.js';
import { SessionOrBridgeGuard } from '#libs/http/session-or-bridge.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { GetCard } from '../../application/queries/get-card.js';
import { GetCardForBridge } from '../../application/queries/get-card-for-bridge.js';
import { cardId } from './board-values.js';

/** One card: in full for the browser, its place for bridges. */
@Controller('api/projects/:projectId/board/cards/:cardId')
@UseGuards(SessionOrBridgeGuard, FlagGuard)
@RequireFlag('board.enabled')
export class CardShownController {
  constructor(
    private readonly getCard: GetCard,
    private readonly forBridge: GetCardForBridge,
  ) {}

  @Get()
  async card(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
  ) {
    const named = { projectId: project, cardId: card };
    return actor.kind === 'connection'
      ? this.forBridge.execute(actor, named)
      : this.getCard.forPage(actor, named);
  }
}
