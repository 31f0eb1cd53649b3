import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type CardFact, CardFacts } from '#src/artifacts/library/application/ports/library-hooks.js';

const FACTS = 'SELECT id AS "cardId", number, title FROM board.card WHERE project_id = $1';

/** What linked cards are called, for artifacts. */
@Injectable()
export class ArtifactCardFacts extends CardFacts {
  constructor(private readonly database: Database) {
    super();
  }

  override async byIds(projectId: string, cardIds: readonly string[]): Promise<Map<string, CardFact>> {
    const rows = await this.database.query<CardFact>(`${FACTS} AND id = ANY($2::uuid[])`, [
      projectId,
      cardIds,
    ]);
    return new Map(rows.map((row) => [row.cardId, row]));
  }

  override async byNumbers(projectId: string, numbers: readonly number[]): Promise<Map<number, CardFact>> {
    const rows = await this.database.query<CardFact>(`${FACTS} AND number = ANY($2::int[])`, [
      projectId,
      numbers.filter((number) => number > 0 && number < 2 ** 31),
    ]);
    return new Map(rows.map((row) => [row.number, row]));
  }
}
