import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import { ProjectCounters } from '#src/projects/application/ports/project-hooks.js';

/** Open cards, for the tiles of projects. */
@Injectable()
export class CardCounters extends ProjectCounters {
  override readonly count = 'openCards';

  constructor(
    private readonly database: Database,
    private readonly flags: Flags,
  ) {
    super();
  }

  override async counts(projectIds: readonly string[]): Promise<Map<string, number> | null> {
    if (!this.flags.isOn('board.enabled')) return null;
    const rows = await this.database.query<{ id: string; n: number }>(
      `SELECT project_id AS id, sum(cards)::int AS n FROM board.board_column
        WHERE project_id = ANY($1::uuid[]) AND NOT terminal GROUP BY project_id`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.id, row.n]));
  }

  override async lastActivity(projectIds: readonly string[]): Promise<Map<string, Date>> {
    if (!this.flags.isOn('board.enabled')) return new Map();
    const rows = await this.database.query<{ id: string; at: Date | null }>(
      `SELECT p.id, (SELECT c.updated_at FROM board.card c WHERE c.project_id = p.id
                      ORDER BY c.updated_at DESC LIMIT 1) AS at
         FROM unnest($1::uuid[]) AS p (id)`,
      [projectIds],
    );
    return new Map(rows.flatMap(({ id, at }) => (at ? [[id, at]] : [])));
  }
}
