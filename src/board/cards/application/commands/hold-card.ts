import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { codePoints } from '#libs/kernel/text.js';
import { type Given, readCardName } from '../../domain/card-texts.js';
import { HOLD_NOTE_CHARACTERS } from '../../domain/limits.js';
import { BoardDoor } from '../board-door.js';
import { CardMover } from '../card-mover.js';
import { CardWork } from '../ports/card-work.js';
import { Cards } from '../ports/cards.js';

export interface CardNameInput {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly number?: Given<number>;
}

/** An expected refusal is an answer, not an error: agents read its code. */
export interface RefusedOutcome {
  readonly cardId: string | null;
  readonly outcome: 'refused';
  readonly code: string;
  readonly message: string;
}

export type HeldOutcome =
  | {
      readonly cardId: string;
      readonly outcome: 'held';
      readonly cancelledRequests: number;
      readonly openRuns: readonly string[];
    }
  | RefusedOutcome;

/** Takes a card out of the workflow: unclaimed work is cancelled, live runs go on. */
@Injectable()
export class HoldCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly mover: CardMover,
    private readonly work: CardWork,
  ) {}

  async execute(
    actor: Actor,
    input: CardNameInput & { readonly note?: Given<string> },
  ): Promise<HeldOutcome> {
    const { projectId } = input;
    const name = readCardName(input);
    const note = input.note?.trim() || null;
    if (note !== null && (codePoints(note) > HOLD_NOTE_CHARACTERS || /\0|\p{Surrogate}/u.test(note)))
      throw new InvalidInput([{ argument: 'note', sentence: `at most ${HOLD_NOTE_CHARACTERS} characters.` }]);
    const request = { projectId, level: 'contribute', operation: 'board.card_held' } as const;
    return this.door.change(actor, request, async (change): Promise<HeldOutcome> => {
      const card = await this.cards.find(projectId, name);
      if (!card) return noSuchCard(name);
      if (!(await this.mover.hold(change, card, note)))
        return refusal(card.id, 'already-paused', `Card ${card.number} is unmanaged already.`);
      return {
        cardId: card.id,
        outcome: 'held',
        cancelledRequests: await this.work.cancelUnclaimed(card.id),
        openRuns: await this.work.openRuns(card.id),
      };
    });
  }
}

export function refusal(cardId: string | null, code: string, message: string): RefusedOutcome {
  return { cardId, outcome: 'refused', code, message };
}

export function noSuchCard(name: { readonly cardId: string } | { readonly number: number }): RefusedOutcome {
  return 'number' in name
    ? refusal(null, 'not-found', `This project has no card ${name.number}.`)
    : refusal(name.cardId, 'not-found', 'Card not found or not accessible.');
}
