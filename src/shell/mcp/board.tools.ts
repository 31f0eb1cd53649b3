import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloseCardRun } from '#src/board/cards/application/commands/close-card-run.js';
import { ConfigureColumn } from '#src/board/cards/application/commands/configure-column.js';
import { CreateCard } from '#src/board/cards/application/commands/create-card.js';
import { CreateColumn } from '#src/board/cards/application/commands/create-column.js';
import { DeleteColumn } from '#src/board/cards/application/commands/delete-column.js';
import { HoldCard } from '#src/board/cards/application/commands/hold-card.js';
import { OpenCardRun } from '#src/board/cards/application/commands/open-card-run.js';
import { ReleaseCard } from '#src/board/cards/application/commands/release-card.js';
import { ReleaseCardPause } from '#src/board/cards/application/commands/release-card-pause.js';
import { ReorderColumns } from '#src/board/cards/application/commands/reorder-columns.js';
import { UpdateCard } from '#src/board/cards/application/commands/update-card.js';
import { GetCard } from '#src/board/cards/application/queries/get-card.js';
import { GetCardHistory } from '#src/board/cards/application/queries/get-card-history.js';
import { ListCards } from '#src/board/cards/application/queries/list-cards.js';
import { ListColumns } from '#src/board/cards/application/queries/list-columns.js';
import { SearchCards } from '#src/board/cards/application/queries/search-cards.js';
import { id, list, oneOf, paging, text, whole, yesNo } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const KINDS = ['relates-to', 'blocks', 'blocked-by'];

const cardName = {
  cardId: id('The card; or number').optional(),
  number: whole('Its number; or cardId', { minimum: 1 }).optional(),
};
const status = (description: string) => text(description).optional();
const connections = {
  pullRequestUrls: list(text('A pull request', { maxLength: 512 }), {
    description: 'The whole set',
    maxItems: 50,
  }).optional(),
  documentIds: list(id('A document'), { description: 'The whole set', maxItems: 50 }).optional(),
  artifactIds: list(id('An artifact'), { description: 'The whole set', maxItems: 50 }).optional(),
  relatedCards: list(
    z
      .looseObject(
        {
          cardId: id('The other card'),
          kind: oneOf('How; default relates-to', KINDS).optional(),
        },
        { error: 'must be an object.' },
      )
      .meta({ description: 'A link' }),
    { description: 'The whole set, links from the other end too', maxItems: 100 },
  ).optional(),
};
const childDesign = oneOf('Child of an epic with an approved tech design: link it, or write its own', [
  'inherit',
  'own',
]).optional();
const sessionId = () =>
  text('Your own: LOUPE_SESSION_ID, CLAUDE_CODE_SESSION_ID or CODEX_THREAD_ID', { maxLength: 100 });

const shared = { flags: ['board.enabled'], checksArguments: true } as const;
const reading = { ...shared, level: 'read' } as const;
const writing = { ...shared, level: 'contribute' } as const;
const columns = { ...shared, level: 'administer' } as const;

/** Tools of the board: cards and columns. */
@Injectable()
export class BoardTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    create: CreateCard,
    update: UpdateCard,
    get: GetCard,
    history: GetCardHistory,
    listCards: ListCards,
    search: SearchCards,
    openRun: OpenCardRun,
    closeRun: CloseCardRun,
    hold: HoldCard,
    release: ReleaseCard,
    releasePause: ReleaseCardPause,
    listColumns: ListColumns,
    createColumn: CreateColumn,
    configureColumn: ConfigureColumn,
    reorderColumns: ReorderColumns,
    deleteColumn: DeleteColumn,
  ) {
    super();
    this.tools = [
      tool({
        ...writing,
        name: 'card_create',
        title: 'Create card',
        description:
          'Adds a card at the end of a column. Look with card_search first: a second call makes a second card. To change one use card_update. Returns the full card.',
        input: z.strictObject({
          title: text('One line', { maxLength: 255 }),
          body: text('Markdown; may be empty', { maxLength: 100_000 }),
          type: text('Type key of board_columns; default its defaultType').optional(),
          status: status('Column slug of board_columns; default backlog'),
          reporter: oneOf('Who raised it; default agent', ['human', 'agent']).optional(),
          origin: text('Old name of reporter').optional(),
          ...connections,
          parentCardId: id('An epic').optional(),
          laneEnabled: yesNo('Draw an epic as a lane', true).optional(),
          childDesign,
        }),
        secondNames: { reporter: 'origin' },
        handle: async ({ actor, projectId }, input) => {
          const { cardId } = await create.execute(actor, { projectId, ...input });
          return get.written(actor, { projectId, cardId });
        },
      }),
      tool({
        ...reading,
        name: 'card_list',
        title: 'List cards',
        description:
          'Lists cards in board order, as summary rows (long titles cut) or with full as whole cards (long bodies share 100,000 characters, see bodyLeftOut). Filters combine. For words use card_search, for one card card_get. Returns cards, columns, total and hasMore.',
        input: z.strictObject({
          status: status('Column slug'),
          type: text('Type key').optional(),
          reporter: oneOf('Who raised it', ['human', 'agent', 'reviewer']).optional(),
          parentCardId: id('Children of this card').optional(),
          paused: yesNo('With an active pause, or without').optional(),
          full: yesNo('Whole cards', false).optional(),
          ...paging(50),
        }),
        handle: ({ actor, projectId }, input) => listCards.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...reading,
        name: 'card_search',
        title: 'Search cards',
        description:
          'Finds cards by words of title and body, finished ones too, best match first. To go through the board use card_list. Returns cards in short, total and hasMore. Look here before card_create.',
        input: z.strictObject({
          query: text('Words; "a phrase", OR, -not', { maxLength: 500 }),
          ...paging(25),
        }),
        handle: ({ actor, projectId }, input) => search.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...reading,
        name: 'card_get',
        title: 'Get card',
        description:
          'Reads one card in full: body, state, pull requests, documents, links, parent or children. For what happened to it use card_get_history.',
        input: z.strictObject(cardName),
        handle: ({ actor, projectId }, input) => get.withReviews(actor, { projectId, ...input }),
      }),
      tool({
        ...reading,
        name: 'card_get_history',
        title: 'Get card history',
        description:
          'Lists what happened to a card, newest first: moves, holds, pauses, runs, verdicts. For the card as it is now use card_get. Returns events, total and hasMore.',
        input: z.strictObject({ ...cardName, ...paging(50) }),
        handle: ({ actor, projectId }, input) => history.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...writing,
        name: 'card_update',
        title: 'Update card',
        description:
          'Changes a card; what is omitted stays, a list replaces the whole set, all or nothing. A new status moves it to the end of that column, within the moves of the workflow (see card_hold). To add a card use card_create. Returns the full card.',
        idempotent: true,
        input: z.strictObject({
          ...cardName,
          title: text('One line', { maxLength: 255 }).optional(),
          body: text('Markdown', { maxLength: 100_000 }).optional(),
          type: text('Type key').optional(),
          status: status('Column slug'),
          ...connections,
          parentCardId: text('An epic; empty takes the card out').optional(),
          clearParent: yesNo('Take the card out of its epic', false).optional(),
          laneEnabled: yesNo('Draw an epic as a lane').optional(),
          childDesign,
          reporter: text('Cannot be changed').optional(),
          origin: text('Cannot be changed').optional(),
        }),
        secondNames: { reporter: 'origin' },
        handle: async ({ actor, projectId }, input) => {
          const { cardId } = await update.execute(actor, { projectId, ...input });
          return get.written(actor, { projectId, cardId });
        },
      }),
      tool({
        ...writing,
        name: 'card_run_open',
        title: 'Open card run',
        description:
          'Says that your session works on a card, and may move it in the same step. Call it before you begin, card_run_close at the end. A second call returns the open run; a later move by anybody closes it. Returns the full card and run.',
        input: z.strictObject({
          sessionId: sessionId(),
          name: text('Name of the skill', { maxLength: 100 }),
          ...cardName,
          status: status('Column to move it to'),
        }),
        handle: async ({ actor, projectId }, input) => {
          const { cardId, run } = await openRun.execute(actor, { projectId, ...input });
          return { ...(await get.written(actor, { projectId, cardId })), run };
        },
      }),
      tool({
        ...writing,
        name: 'card_run_close',
        title: 'Close card run',
        description:
          'Says that your session no longer works on a card; see card_run_open. A second call returns the closed run. Returns run, null when the session never opened one.',
        idempotent: true,
        input: z.strictObject({ sessionId: sessionId(), ...cardName }),
        handle: ({ actor, projectId }, input) => closeRun.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...writing,
        name: 'card_hold',
        title: 'Hold card',
        description:
          'Takes a card out of the workflow: unclaimed work is cancelled, live runs go on, any move is allowed. card_release gives it back. A refusal is a result with outcome refused and a code.',
        input: z.strictObject(cardName),
        handle: ({ actor, projectId }, input) => hold.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...writing,
        name: 'card_release',
        title: 'Release card',
        description:
          'Gives a held card (card_hold) back to the workflow. A pause stays, see card_pause_release. A refusal is a result with outcome refused and a code.',
        input: z.strictObject(cardName),
        handle: ({ actor, projectId }, input) => release.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...writing,
        name: 'card_pause_release',
        title: 'Release card pause',
        description:
          'Ends the pause of a card when its cause is gone, so that the workflow tries again; a pause of kind rule ends only by itself. A hold is ended by card_release. A refusal is a result with outcome refused and a code.',
        input: z.strictObject({
          ...cardName,
          pauseId: text('The pause you read; no other is ended').optional(),
        }),
        handle: ({ actor, projectId }, input) => releasePause.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...reading,
        name: 'board_columns',
        title: 'List board columns',
        description:
          'Lists the columns of the board in order, Backlog first, and the card types with defaultType. Read it before you name a status or a type. The rules of the places are in workflow_get.',
        input: z.strictObject({}),
        handle: ({ actor, projectId }) => listColumns.execute(actor, { projectId }),
      }),
      tool({
        ...columns,
        name: 'column_create',
        title: 'Create column',
        description:
          'Appends a column that is not terminal; column_update makes it a finishing point, column_reorder moves it. Needs the maintainer role. Returns column and columns.',
        input: z.strictObject({ label: text('One line', { maxLength: 100 }) }),
        handle: async ({ actor, projectId }, input) => {
          const { columnId } = await createColumn.execute(actor, { projectId, ...input });
          return listColumns.around(actor, projectId, columnId);
        },
      }),
      tool({
        ...columns,
        name: 'column_update',
        title: 'Update column',
        description:
          'Renames a column, which changes its slug, or makes it terminal or open: its cards are finished or open again. For another order use column_reorder. Needs the maintainer role. Returns column and columns.',
        idempotent: true,
        input: z.strictObject({
          slug: text('Of board_columns'),
          label: text('One line', { maxLength: 100 }).optional(),
          terminal: yesNo('Whether it holds finished work').optional(),
        }),
        handle: async ({ actor, projectId }, input) => {
          const { columnId } = await configureColumn.execute(actor, { projectId, ...input });
          return listColumns.around(actor, projectId, columnId);
        },
      }),
      tool({
        ...columns,
        name: 'column_reorder',
        title: 'Reorder columns',
        description:
          'Puts the columns in the given order; Backlog stays first and is not named. To rename one use column_update. Needs the maintainer role. Returns columns.',
        idempotent: true,
        input: z.strictObject({
          order: list(text('A slug'), { description: 'Every column but backlog, once' }),
        }),
        handle: async ({ actor, projectId }, input) => {
          await reorderColumns.execute(actor, { projectId, order: input.order ?? [] });
          return { columns: await listColumns.rows(actor, projectId) };
        },
      }),
      tool({
        ...columns,
        name: 'column_delete',
        title: 'Delete column',
        description:
          'Deletes a column; targetColumn takes its cards, whose holds end. A place of the workflow is then empty. For a new one use column_create. Needs the maintainer role. Returns deleted, movedCards and columns.',
        destructive: true,
        input: z.strictObject({
          slug: text('Of board_columns'),
          targetColumn: text('Slug of the column that takes its cards').optional(),
        }),
        handle: async ({ actor, projectId }, input) => {
          const { deleted, movedCards } = await deleteColumn.execute(actor, { projectId, ...input });
          return { deleted, movedCards, columns: await listColumns.rows(actor, projectId) };
        },
      }),
    ];
  }
}
