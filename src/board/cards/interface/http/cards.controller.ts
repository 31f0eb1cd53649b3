import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseGuards,
} from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { optionalNumber, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { CreateCard } from '../../application/commands/create-card.js';
import { DeleteCard } from '../../application/commands/delete-card.js';
import { MoveCard } from '../../application/commands/move-card.js';
import { MoveCards } from '../../application/commands/move-cards.js';
import { UpdateCard } from '../../application/commands/update-card.js';
import type { Place } from '../../application/ports/cards.js';
import { GetCard } from '../../application/queries/get-card.js';
import { GetCardHistory } from '../../application/queries/get-card-history.js';
import { GetTiles } from '../../application/queries/get-tiles.js';
import { ListCardsOfDocument } from '../../application/queries/list-cards-of-document.js';
import { SuggestCards } from '../../application/queries/suggest-cards.js';
import { WrittenCardAnswers } from '../../application/queries/written-card-answers.js';
import { CreateCardBody, DeleteCardBody, MoveCardBody, MoveCardsBody, UpdateCardBody } from './board.dto.js';
import { cardId, documentId, optionalFilter } from './board-values.js';

/** Cards for the browser (`board.md` 10). */
@Controller('api/projects/:projectId/board/cards')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('board.enabled')
export class CardsController {
  constructor(
    private readonly getCard: GetCard,
    private readonly getHistory: GetCardHistory,
    private readonly getTiles: GetTiles,
    private readonly suggestCards: SuggestCards,
    private readonly cardsOfDocument: ListCardsOfDocument,
    private readonly createCard: CreateCard,
    private readonly updateCard: UpdateCard,
    private readonly moveCard: MoveCard,
    private readonly moveCards: MoveCards,
    private readonly deleteCard: DeleteCard,
    private readonly answers: WrittenCardAnswers,
  ) {}

  @Get()
  async ofDocument(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('documentId', documentId) document: string,
  ) {
    return this.cardsOfDocument.execute(actor, { projectId: project, documentId: document });
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: CreateCardBody,
  ) {
    const written = await this.createCard.execute(actor, { ...body, projectId: project });
    return this.answers.card(actor, project, written);
  }

  @Get('suggest')
  async suggest(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('q', optionalFilter) q: string | null,
    @Query('children', optionalFilter) children: string | null,
  ) {
    return this.suggestCards.execute(actor, {
      projectId: project,
      q: q ?? '',
      children: children === 'true',
    });
  }

  @Post('move')
  @HttpCode(200)
  async moveMany(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: MoveCardsBody,
  ) {
    const moved = await this.moveCards.execute(actor, { ...body, projectId: project });
    return this.answers.movedCards(actor, project, body.cardIds, moved);
  }

  @Get('by-number/:number')
  async byNumber(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('number', optionalNumber) number: number | null,
  ) {
    if (number === null) throw notFound('Card');
    return this.getCard.forPage(actor, { projectId: project, number });
  }

  @Patch(':cardId')
  async update(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Body(inputPipe) body: UpdateCardBody,
  ) {
    const written = await this.updateCard.execute(actor, {
      ...body,
      parentCardId: body.parentCardId === null ? '' : body.parentCardId,
      projectId: project,
      cardId: card,
    });
    return this.answers.card(actor, project, written);
  }

  @Delete(':cardId')
  @HttpCode(204)
  async remove(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Body(inputPipe) { confirm }: DeleteCardBody,
  ): Promise<void> {
    await this.deleteCard.execute(actor, { projectId: project, cardId: card, confirm });
  }

  @Post(':cardId/move')
  @HttpCode(200)
  async move(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Body(inputPipe) body: MoveCardBody,
  ) {
    try {
      const moved = await this.moveCard.execute(actor, {
        projectId: project,
        cardId: card,
        columnId: body.columnId,
        fromColumnId: body.fromColumnId,
        place: placeOf(body),
        parentCardId: body.parentCardId,
        makeUnmanaged: body.makeUnmanaged,
      });
      return await this.answers.movedCard(actor, project, moved);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'stale_column') throw error;
      // The page shows where the card is now, without another request.
      const { tiles } = await this.getTiles.byIds(actor, { projectId: project, ids: [card] });
      throw new DomainError(error.kind, error.code, error.message, { ...error.detail, current: tiles[0] });
    }
  }

  @Get(':cardId/history')
  async history(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
    @Query('page', optionalNumber) page: number | null,
  ) {
    return this.getHistory.forPage(actor, { projectId: project, cardId: card, page });
  }

  @Get(':cardId/tile')
  async tile(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('cardId', cardId) card: string,
  ) {
    const { revision, tiles } = await this.getTiles.byIds(actor, { projectId: project, ids: [card] });
    const [tile] = tiles;
    if (!tile) throw notFound('Card');
    return { revision, tile };
  }
}

function placeOf({ position, beforeCardId, afterCardId }: MoveCardBody): Place | null {
  if (typeof beforeCardId === 'string' && isUuid(beforeCardId)) return { beforeCardId };
  if (typeof afterCardId === 'string' && isUuid(afterCardId)) return { afterCardId };
  return typeof position === 'number' ? { position } : null;
}
