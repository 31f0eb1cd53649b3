import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { BoardMaker } from '../board-maker.js';

const IDS = 500;

export interface BoardChanges {
  readonly revision: number;
  readonly columnsRevision: number;
  /** True when too much changed since: load the board anew. */
  readonly reload?: true;
  readonly cards?: readonly string[];
  readonly deleted?: readonly string[];
}

/** What changed on a board since a revision, for pages that were away. */
@Injectable()
export class GetBoardChanges {
  constructor(
    private readonly access: ProjectAccess,
    private readonly maker: BoardMaker,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly since: number },
  ): Promise<BoardChanges> {
    const { projectId, since } = input;
    await this.access.require(actor, projectId, 'read');
    const { revision, columnsRevision } = (await this.maker.read(actor, projectId)).state;
    const head = { revision, columnsRevision };
    if (!Number.isSafeInteger(since) || since < 0 || since > revision) return { ...head, reload: true };
    // Deletions are forgotten after a week; then nobody can say what a page has missed.
    const [forgotten] = await this.database.query(
      'SELECT FROM board.board WHERE project_id = $1 AND forgotten_revision > $2',
      [projectId, since],
    );
    if (forgotten) return { ...head, reload: true };
    const rows = await this.database.query<{ id: string; deleted: boolean }>(
      `(SELECT id, false AS deleted FROM board.card WHERE project_id = $1 AND revision > $2 ORDER BY revision LIMIT $3)
       UNION ALL
       (SELECT card_id, true FROM board.board_tombstone WHERE project_id = $1 AND revision > $2
         ORDER BY revision LIMIT $3)`,
      [projectId, since, IDS + 1],
    );
    if (rows.length > IDS) return { ...head, reload: true };
    return {
      ...head,
      cards: rows.filter((row) => !row.deleted).map((row) => row.id),
      deleted: rows.filter((row) => row.deleted).map((row) => row.id),
    };
  }
}
