import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput, notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import { DOCUMENTS_OF_CARD } from '../../domain/limits.js';
import { BoardDoor } from '../board-door.js';
import { CardEditor } from '../card-editor.js';
import { CardConnections } from '../ports/card-connections.js';
import { Cards } from '../ports/cards.js';

/** Says which cards link a document: the whole set. @throws InvalidInput `cardIds[i]`; DomainError `not-found`. */
@Injectable()
export class SetDocumentCards {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly documents: DocumentLookup,
    private readonly editor: CardEditor,
  ) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly documentId: string;
      readonly cardIds: readonly string[];
    },
  ): Promise<void> {
    const { projectId, documentId } = input;
    const wanted = [...new Set(input.cardIds.map((id) => id.toLowerCase()))];
    const request = { projectId, level: 'contribute', operation: 'board.card_updated' } as const;
    await this.door.change(actor, request, async (change) => {
      if (!(await this.documents.byIds(projectId, [documentId])).has(documentId)) throw notFound('Document');
      if (wanted.length > DOCUMENTS_OF_CARD)
        throw new InvalidInput([{ argument: 'cardIds', sentence: `at most ${DOCUMENTS_OF_CARD} entries.` }]);
      const had = await this.connections.cardsOfDocument(projectId, documentId);
      const known = new Map(
        (await this.cards.findMany(projectId, [...new Set([...had, ...wanted])].filter(isUuid))).map(
          (card) => [card.id, card],
        ),
      );
      const problems = wanted.flatMap((id, at) =>
        known.has(id) ? [] : [{ argument: `cardIds[${at}]`, sentence: 'Card not found or not accessible.' }],
      );
      if (problems.length > 0) throw new InvalidInput(problems);
      for (const card of known.values()) {
        const links = had.includes(card.id);
        if (links === wanted.includes(card.id)) continue;
        const now = await this.connections.documentIds(card.id);
        const documentIds = links ? now.filter((id) => id !== documentId) : [...now, documentId];
        await this.editor.edit(change, card, { documentIds });
      }
    });
  }
}
