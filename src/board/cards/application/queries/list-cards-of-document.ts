import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';

export interface CardOfDocument {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly terminal: boolean;
}

/** The cards that link a document. */
@Injectable()
export class ListCardsOfDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string },
  ): Promise<{ readonly cards: readonly CardOfDocument[] }> {
    const { projectId, documentId } = input;
    await this.access.require(actor, projectId, 'read');
    const cards = await this.database.query<CardOfDocument>(
      `SELECT c.id AS "cardId", c.number, c.title, k.terminal
         FROM board.card_document d JOIN board.card c ON c.id = d.card_id
         JOIN board.board_column k ON k.id = c.column_id
        WHERE d.document_id = $2 AND d.project_id = $1 ORDER BY c.number`,
      [projectId, documentId],
    );
    return { cards };
  }
}
