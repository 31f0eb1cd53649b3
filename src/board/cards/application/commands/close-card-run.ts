import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { cardNameOf, type Given } from '../../domain/card-texts.js';
import type { BoardChange } from '../board-change.js';
import { BoardDoor } from '../board-door.js';
import { knownCard } from '../known-card.js';
import { CardWork } from '../ports/card-work.js';
import { type CardFacts, Cards } from '../ports/cards.js';
import { type InteractiveRun, InteractiveRuns } from '../ports/interactive-runs.js';
import type { CardNameInput } from './hold-card.js';
import { readSessionId } from './open-card-run.js';

export interface ClosedCardRun {
  readonly cardId: string;
  readonly number: number;
  /** Null when the session never opened a run on the card. */
  readonly run: { readonly runId: string; readonly state: 'closed' } | null;
  readonly usageRequested: number;
}

const REQUEST = { level: 'contribute', operation: 'board.run_closed' } as const;

/** A session stops working on a card. Closing twice answers the same run. */
@Injectable()
export class CloseCardRun {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly runs: InteractiveRuns,
    private readonly work: CardWork,
  ) {}

  async execute(
    actor: Actor,
    input: CardNameInput & { readonly sessionId?: Given<string> },
  ): Promise<ClosedCardRun> {
    const { projectId } = input;
    const problems = new Problems();
    const sessionId = readSessionId(problems, input.sessionId);
    const name = cardNameOf(problems, input);
    problems.throwIfAny();
    return this.door.change(actor, { projectId, ...REQUEST }, async (change) => {
      const card = await knownCard(this.cards, projectId, name);
      const run = await this.runs.latest(card.id, sessionId);
      const answer = { cardId: card.id, number: card.number };
      if (!run) return { ...answer, run: null, usageRequested: 0 };
      await this.close(change, card, run);
      const usageRequested = await this.work.askUsage(projectId, run.runId);
      return { ...answer, run: { runId: run.runId, state: 'closed' }, usageRequested };
    });
  }

  /** **Close session** of a person. @throws DomainError `not_open`. */
  async byRun(
    actor: Actor,
    input: { readonly projectId: string; readonly cardId: string; readonly runId: string },
  ): Promise<void> {
    const { projectId, cardId } = input;
    await this.door.change(actor, { projectId, ...REQUEST }, async (change) => {
      const card = await knownCard(this.cards, projectId, { cardId });
      const run = isUuid(input.runId) ? await this.runs.byId(card.id, input.runId) : null;
      if (!run || !(await this.close(change, card, run)))
        throw conflict('not_open', 'This session is closed already.');
      await this.work.askUsage(projectId, run.runId);
    });
  }

  private async close(change: BoardChange, card: CardFacts, run: InteractiveRun): Promise<boolean> {
    if (!(await this.runs.close(run.runId, 'closed', change.at))) return false;
    change.stale.add(card.id);
    change.tell('card', card.id);
    change.lookAt.add(card.id);
    change.event('InteractiveRunClosed', card.id, { cardId: card.id, runId: run.runId, reason: 'closed' });
    change.record('board.run_closed', card, { runId: run.runId });
    return true;
  }
}
