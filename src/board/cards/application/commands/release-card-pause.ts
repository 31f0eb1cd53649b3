import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { quoted } from '#libs/kernel/text.js';
import { cardNameOf, type Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { CardMarks } from '../ports/card-marks.js';
import { Cards } from '../ports/cards.js';
import { type CardNameInput, noSuchCard, type RefusedOutcome, refusal } from './hold-card.js';

export type PauseReleasedOutcome =
  | {
      readonly cardId: string;
      readonly outcome: 'released';
      readonly kind: string;
      readonly reason: string;
      readonly ruleId: string | null;
    }
  | RefusedOutcome;

/** Ends the pause of a card, so that the workflow tries again. A pause of kind `rule` ends only by its condition. */
@Injectable()
export class ReleaseCardPause {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly marks: CardMarks,
  ) {}

  /** @throws InvalidInput for a `pauseId` that is no id. */
  async execute(
    actor: Actor,
    input: CardNameInput & { readonly pauseId?: Given<string> },
  ): Promise<PauseReleasedOutcome> {
    const { projectId } = input;
    const problems = new Problems();
    const name = cardNameOf(problems, input);
    const pauseId = input.pauseId?.toLowerCase() ?? null;
    if (pauseId !== null && !isUuid(pauseId))
      problems.add('pauseId', `${quoted(pauseId)} is not a valid id.`);
    problems.throwIfAny();
    const request = { projectId, level: 'contribute', operation: 'board.card_pause_released' } as const;
    return this.door.change(actor, request, async (change): Promise<PauseReleasedOutcome> => {
      const card = await this.cards.find(projectId, name);
      if (!card) return noSuchCard(name);
      if (card.held || !change.workflow.isOn)
        return refusal(
          card.id,
          'card-unmanaged',
          card.held
            ? `Card ${card.number} is unmanaged. Release it first with card_release.`
            : 'The workflow of this project is off.',
        );
      const pause = await this.marks.activePause(card.id);
      if (!pause) return refusal(card.id, 'not-paused', `Card ${card.number} has no pause.`);
      if (pauseId !== null && pause.pauseId !== pauseId)
        return refusal(
          card.id,
          'pause-changed',
          `Card ${card.number} has another pause now. Read the card again.`,
        );
      if (pause.kind === 'rule')
        return refusal(
          card.id,
          'kind-not-releasable',
          `The pause of card ${card.number} ends only by its condition.`,
        );
      await this.marks.endPauses([card.id], 'released', personIdOf(actor), change.at);
      const { kind, reason, ruleId } = pause;
      change.stale.add(card.id);
      change.tell('card', card.id);
      change.lookAt.add(card.id);
      change.note(card, 'pause-released', { pause });
      change.event('CardPauseReleased', card.id, { cardId: card.id, pauseId: pause.pauseId, kind, reason });
      change.record('board.card_pause_released', card, { pauseId: pause.pauseId, kind });
      return { cardId: card.id, outcome: 'released', kind, reason, ruleId };
    });
  }
}
