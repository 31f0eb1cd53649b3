import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { historyActorOfEvent } from '../../domain/history.js';
import { BoardDoor } from '../board-door.js';
import { Cards } from '../ports/cards.js';

const ACTOR: SystemActor = { kind: 'system', jobName: 'board.artifact-cards-changed' };

/** The history of a card tells who linked an artifact and who took it away, and pages read its artifacts anew. */
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
    const added = new Set(idsOf(payload.added));
    const named = [...added, ...idsOf(payload.removed)];
    const found = await this.cards.findMany(projectId, named);
    if (found.length === 0) return;
    const request = { projectId, level: 'contribute', operation: 'board.card_updated' } as const;
    await this.door.change(ACTOR, request, async (change) => {
      const artifact = { artifactId: event.aggregateId };
      for (const card of found) {
        const kind = added.has(card.id) ? 'artifact-linked' : 'artifact-unlinked';
        change.note(card, kind, { artifact }, historyActorOfEvent(event.actor, payload.by));
        change.stale.add(card.id);
        change.tell('card', card.id);
      }
    });
  }
}

function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}
