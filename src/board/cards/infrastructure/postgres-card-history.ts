import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { CardHistory } from '../application/ports/card-history.js';
import type { HistoryRow } from '../domain/history.js';

@Injectable()
export class PostgresCardHistory extends CardHistory {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(rows: readonly HistoryRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.database.query(
      `INSERT INTO board.card_history (id, card_id, project_id, kind, occurred_at, actor_kind, actor_user_id, run_id, payload)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::uuid[],
         $8::uuid[], $9::jsonb[])`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.cardId),
        rows.map((row) => row.projectId),
        rows.map((row) => row.kind),
        rows.map((row) => row.occurredAt),
        rows.map((row) => row.actorKind),
        rows.map((row) => row.actorUserId),
        rows.map((row) => row.runId),
        rows.map((row) => JSON.stringify(row.payload)),
      ],
    );
  }
}
