import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { BoardDoor } from '../board-door.js';
import { CardConnections } from '../ports/card-connections.js';

const ACTOR: SystemActor = { kind: 'system', jobName: 'board.document-changed' };

/** A card needs somebody while a document that it links is in review. */
@Injectable()
export class WhenDocumentChanged implements EventListener {
  readonly name = 'board-when-document-changed';
  readonly types = [
    'DocumentReviewRequested',
    'DocumentRevised',
    'DocumentRenamed',
    'DocumentArchived',
    'DocumentUnarchived',
    'VerdictSubmitted',
    'VerdictWithdrawn',
  ];

  constructor(
    private readonly door: BoardDoor,
    private readonly connections: CardConnections,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    const { projectId } = event;
    const documentId = event.payload.documentId ?? event.aggregateId;
    if (projectId === null || typeof documentId !== 'string') return;
    const linked = await this.connections.cardsOfDocument(projectId, documentId);
    if (linked.length === 0) return;
    const request = { projectId, level: 'contribute', operation: 'board.card_updated' } as const;
    await this.door.change(ACTOR, request, async (change) => {
      for (const id of linked) {
        change.lookAt.add(id);
        change.stale.add(id);
        change.tell('card', id);
      }
    });
  }
}
