import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { CloseCardRun } from '../../application/commands/close-card-run.js';
import { HoldCard, type RefusedOutcome } from '../../application/commands/hold-card.js';
import { ReleaseCard } from '../../application/commands/release-card.js';
import { ReleaseCardPause } from '../../application/commands/release-card-pause.js';
import { SetLaneEnabled } from '../../application/commands/set-lane-enabled.js';
import { WrittenCardAnswers } from '../../application/queries/written-card-answers.js';
import { HoldBody, LaneBody } from './board.dto.js';
import { cardId } from './board-values.js';

/** Holds, pauses, lanes and sessions of cards, for the browser. */
@Controller('api/projects/:projectId/board/cards/:cardId')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('board.enabled')
export class CardMarksController {
  constructor(
    private readonly holdCard: HoldCard,
    private readonly releaseCard: ReleaseCard,
    private readonly releasePause: ReleaseCardPause,
    private readonly setLane: SetLaneEnabled,
    private readonly closeRun: CloseCardRun,
    private readonly answers: WrittenCardAnswers,
  ) {}

  @Post('hold')
  @HttpCode(200)
  async hold(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Body(inputPipe) { note }: HoldBody,
  ) {
    const outcome = await this.holdCard.execute(actor, { projectId: project, cardId: card, note });
    if (outcome.outcome === 'refused') throw refused(outcome, { 'already-paused': 'already_held' });
    return this.answers.card(actor, project, { cardId: card });
  }

  @Post('release')
  @HttpCode(200)
  async release(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
  ) {
    const outcome = await this.releaseCard.execute(actor, { projectId: project, cardId: card });
    if (outcome.outcome === 'refused') throw refused(outcome, { 'not-paused': 'not_held' });
    return this.answers.card(actor, project, { cardId: card });
  }

  @Post('lane')
  @HttpCode(200)
  async lane(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Body(inputPipe) { enabled }: LaneBody,
  ) {
    const written = await this.setLane.execute(actor, { projectId: project, cardId: card, enabled });
    return this.answers.card(actor, project, written);
  }

  @Post('pauses/:pauseId/release')
  @HttpCode(200)
  async endPause(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Param('pauseId') pauseId: string,
  ) {
    const outcome = await this.releasePause.execute(actor, { projectId: project, cardId: card, pauseId });
    if (outcome.outcome === 'refused')
      throw refused(outcome, {
        'card-unmanaged': 'card_unmanaged',
        'not-paused': 'pause_changed',
        'pause-changed': 'pause_changed',
        'kind-not-releasable': 'not_releasable',
      });
    return this.answers.card(actor, project, { cardId: card });
  }

  @Post('runs/:runId/close')
  @HttpCode(200)
  async closeSession(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Param('runId') runId: string,
  ) {
    await this.closeRun.byRun(actor, { projectId: project, cardId: card, runId });
    return this.answers.card(actor, project, { cardId: card });
  }
}

/** What a tool answers as an outcome is an error for a page. */
function refused(outcome: RefusedOutcome, codes: Readonly<Record<string, string>>) {
  const code = codes[outcome.code];
  return code === undefined ? notFound('Card') : conflict(code, outcome.message);
}
