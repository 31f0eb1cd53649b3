import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { BoardDoor } from '../board-door.js';
import { Cards } from '../ports/cards.js';

const ACTOR: SystemActor = { kind: 'system', jobName: 'board.artifact-cards-changed' };

/** Pages that show a card read its artifacts anew. */
@Injectable()
export class WhenArtifactCardsChanged implements EventListener {
  readonly name = 'board-when-artifact-cards-changed';
  readonly types = ['ArtifactCardsChanged'];

  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    const { projectId, payload } = event;
    if (projectId === null) return;
    const named = [...idsOf(payload.added), ...idsOf(payload.removed)];
    const found = await this.cards.findMany(projectId, named);
    if (found.length === 0) return;
    const request = { projectId, level: 'contribute', operation: 'board.card_updated' } as const;
    await this.door.change(ACTOR, request, async (change) => {
      for (const { id } of found) {
        change.stale.add(id);
        change.tell('card', id);
      }
    });
  }
}

function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}
