import { Body, Controller, Get, HttpCode, Param, Patch, Put, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { optionalNumber, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { SetDocumentCards } from '../../application/commands/set-document-cards.js';
import { UpdateBoardSettings } from '../../application/commands/update-board-settings.js';
import { type BoardFilter, NO_FILTER } from '../../application/queries/board-cells.js';
import { GetBoard } from '../../application/queries/get-board.js';
import { GetBoardChanges } from '../../application/queries/get-board-changes.js';
import { GetTiles } from '../../application/queries/get-tiles.js';
import { ListBacklog } from '../../application/queries/list-backlog.js';
import { ListCardsOfDocument } from '../../application/queries/list-cards-of-document.js';
import { ListFinishedCards } from '../../application/queries/list-finished-cards.js';
import { ListOpenCards } from '../../application/queries/list-open-cards.js';
import type { RowFilter } from '../../application/queries/list-rows.js';
import { BoardSettingsBody, DocumentCardsBody } from './board.dto.js';
import { columnId, documentId, optionalFilter, optionalPlace } from './board-values.js';

const TILES_AT_ONCE = 50;

/** The board and its lists for the browser (`board.md` 10). */
@Controller('api/projects/:projectId/board')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('board.enabled')
export class BoardController {
  constructor(
    private readonly getBoard: GetBoard,
    private readonly getTiles: GetTiles,
    private readonly getChanges: GetBoardChanges,
    private readonly listBacklog: ListBacklog,
    private readonly listOpen: ListOpenCards,
    private readonly listFinished: ListFinishedCards,
    private readonly cardsOfDocument: ListCardsOfDocument,
    private readonly setDocumentCards: SetDocumentCards,
    private readonly updateSettings: UpdateBoardSettings,
  ) {}

  @Get()
  async board(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('perColumn', optionalNumber) perColumn: number | null,
    @Query('window', optionalNumber) window: number | null,
    @Query('lanes', optionalFilter) lanes: string | null,
    @Query('q', optionalFilter) q: string | null,
    @Query('type', optionalFilter) type: string | null,
    @Query('state', optionalFilter) state: string | null,
  ) {
    const filter = filterOf(q, type, state);
    return this.getBoard.execute(actor, {
      projectId: project,
      perColumn,
      window,
      lanes: lanes !== 'off',
      filter,
    });
  }

  @Get('tiles')
  async tiles(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('ids', optionalFilter) ids: string | null,
    @Query('columnId', optionalFilter) column: string | null,
    @Query('laneId', optionalFilter) lane: string | null,
    @Query('after', optionalFilter) after: string | null,
    @Query('afterOrder', optionalPlace) afterOrder: number | null,
    @Query('offset', optionalNumber) offset: number | null,
    @Query('limit', optionalNumber) limit: number | null,
    @Query('window', optionalNumber) window: number | null,
    @Query('q', optionalFilter) q: string | null,
    @Query('type', optionalFilter) type: string | null,
    @Query('state', optionalFilter) state: string | null,
  ) {
    if (ids !== null) return this.getTiles.byIds(actor, { projectId: project, ids: ids.split(',') });
    return this.getTiles.execute(actor, {
      projectId: project,
      columnId: column ?? '',
      laneId: lane === null ? undefined : isUuid(lane) ? lane.toLowerCase() : null,
      afterCardId: after !== null && isUuid(after) ? after : null,
      afterOrder,
      offset: offset ?? 0,
      limit: limit ?? TILES_AT_ONCE,
      window,
      filter: filterOf(q, type, state),
    });
  }

  @Get('changes')
  async changes(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('since', optionalPlace) since: number | null,
  ) {
    return this.getChanges.execute(actor, { projectId: project, since: since ?? -1 });
  }

  @Get('backlog')
  async backlog(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query() query: Record<string, unknown>,
  ) {
    return this.listBacklog.execute(actor, { projectId: project, filter: rowFilterOf(query) });
  }

  @Get('list')
  async list(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query() query: Record<string, unknown>,
  ) {
    return this.listOpen.execute(actor, { projectId: project, filter: rowFilterOf(query) });
  }

  @Get('terminal/:columnId')
  async finished(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('columnId', columnId) column: string,
    @Query() query: Record<string, unknown>,
  ) {
    const filter = rowFilterOf(query);
    return this.listFinished.execute(actor, { projectId: project, columnId: column, filter });
  }

  @Put('documents/:documentId/cards')
  @HttpCode(200)
  async linkDocument(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('documentId', documentId) document: string,
    @Body(inputPipe) { cardIds }: DocumentCardsBody,
  ) {
    await this.setDocumentCards.execute(actor, { projectId: project, documentId: document, cardIds });
    return this.cardsOfDocument.execute(actor, { projectId: project, documentId: document });
  }

  @Patch('settings')
  async settings(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) { finishedWindowDays }: BoardSettingsBody,
  ) {
    return this.updateSettings.execute(actor, { projectId: project, finishedWindowDays });
  }
}

function filterOf(q: string | null, type: string | null, state: string | null): BoardFilter {
  return q === null && type === null && state === null
    ? NO_FILTER
    : { q: q?.slice(0, 200) ?? null, type, state };
}

function rowFilterOf(query: Record<string, unknown>): RowFilter {
  const text = (name: string) => optionalFilter.transform(query[name], { type: 'query' });
  return {
    q: text('q'),
    type: text('type'),
    epic: text('epic'),
    state: text('state'),
    sort: text('sort'),
    dir: text('dir'),
    page: optionalNumber.transform(query.page, { type: 'query' }),
  };
}
