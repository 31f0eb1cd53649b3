import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { codePoints } from '#libs/kernel/text.js';
import { cardNameOf, type Given } from '../../domain/card-texts.js';
import { RUN_NAME_CHARACTERS } from '../../domain/limits.js';
import { refused } from '../../domain/refusals.js';
import { BoardDoor } from '../board-door.js';
import { CardEditor } from '../card-editor.js';
import { knownCard } from '../known-card.js';
import { Cards } from '../ports/cards.js';
import { type InteractiveRun, InteractiveRuns } from '../ports/interactive-runs.js';
import type { CardNameInput } from './hold-card.js';

export interface OpenedCardRun {
  readonly cardId: string;
  readonly run: { readonly runId: string; readonly state: 'running'; readonly name: string };
}

const SESSION = /^[A-Za-z0-9._:-]{1,100}$/;

/** @throws InvalidInput through `problems`. */
export function readSessionId(problems: Problems, value: Given<string>): string {
  if (!SESSION.test(value ?? ''))
    problems.add('sessionId', 'pass your own session id, 1 to 100 characters of A-Z a-z 0-9 . _ : -.');
  return value ?? '';
}

/** A session of an agent begins to work on a card, and may move it in the same step. */
@Injectable()
export class OpenCardRun {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly editor: CardEditor,
    private readonly runs: InteractiveRuns,
    private readonly ids: Ids,
  ) {}

  /** @throws InvalidInput; DomainError `card_finished` and those of a move, with which no run opens. */
  async execute(
    actor: Actor,
    input: CardNameInput & {
      readonly sessionId?: Given<string>;
      readonly name?: Given<string>;
      readonly status?: Given<string>;
    },
  ): Promise<OpenedCardRun> {
    const { projectId, status } = input;
    const problems = new Problems();
    const sessionId = readSessionId(problems, input.sessionId);
    const name = (input.name ?? '').trim();
    if (name === '' || codePoints(name) > RUN_NAME_CHARACTERS || /[\p{Cc}\p{Surrogate}]/u.test(name))
      problems.add('name', `1 to ${RUN_NAME_CHARACTERS} characters on one line.`);
    const cardName = cardNameOf(problems, input);
    problems.throwIfAny();
    const request = { projectId, level: 'contribute', operation: 'board.run_opened' } as const;
    return this.door.change(actor, request, async (change) => {
      const card = await knownCard(this.cards, projectId, cardName);
      const columnBefore = card.columnId;
      const latest = await this.runs.latest(card.id, sessionId);
      const open = latest?.closedAt === null ? latest : null;
      const target = status == null ? null : change.board.columnBySlug(status);
      if (target === null ? status == null && card.completedAt !== null : target.terminal)
        throw refused(
          'card_finished',
          'status',
          target === null
            ? `Card ${card.number} is finished. Pass the slug of an open column.`
            : 'Pass the slug of an open column.',
        );
      const moves = target !== null && target.id !== columnBefore;
      if (open && !moves && (status == null || target !== null)) {
        await this.runs.seen(sessionId, change.at);
        return { cardId: card.id, run: { runId: open.runId, state: 'running', name: open.name } };
      }
      if (open) {
        await this.runs.close(open.runId, 'replaced', change.at);
        change.event('InteractiveRunClosed', card.id, {
          cardId: card.id,
          runId: open.runId,
          reason: 'replaced',
        });
      }
      if (status != null) await this.editor.edit(change, card, { status });
      const run: InteractiveRun = {
        runId: this.ids.next(),
        cardId: card.id,
        projectId,
        sessionId,
        name,
        columnId: card.columnId,
        openedAt: change.at,
        closedAt: null,
      };
      await this.runs.open(run, personIdOf(actor));
      change.stale.add(card.id);
      change.tell('card', card.id);
      change.lookAt.add(card.id);
      change.event('InteractiveRunOpened', card.id, { cardId: card.id, runId: run.runId });
      change.record('board.run_opened', card, { runId: run.runId });
      return { cardId: card.id, run: { runId: run.runId, state: 'running', name } };
    });
  }
}
