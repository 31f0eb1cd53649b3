import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type CardFact, LibraryHooks } from '../ports/library-hooks.js';

/** Cards that artifacts are linked to, in link order. */
@Injectable()
export class LinkedCards {
  constructor(
    private readonly database: Database,
    private readonly hooks: LibraryHooks,
  ) {}

  async of(projectId: string, artifactIds: readonly string[]): Promise<Map<string, CardFact[]>> {
    if (artifactIds.length === 0) return new Map();
    const links = await this.database.query<{ artifactId: string; cardId: string }>(
      `SELECT artifact_id AS "artifactId", card_id AS "cardId" FROM artifacts.card_link
       WHERE artifact_id = ANY($1) ORDER BY position`,
      [artifactIds],
    );
    const facts = await this.hooks.cardsByIds(projectId, [...new Set(links.map(({ cardId }) => cardId))]);
    const cards = new Map<string, CardFact[]>();
    for (const { artifactId, cardId } of links) {
      const fact = facts.get(cardId);
      if (!fact) continue;
      const list = cards.get(artifactId) ?? [];
      list.push(fact);
      cards.set(artifactId, list);
    }
    return cards;
  }
}
