import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { WorkflowTemplates } from '../../../workflow/application/ports/workflow-templates.js';

export interface SuggestedCard {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly type: string;
  readonly status: string;
  readonly terminal: boolean;
}

const ROWS = 20;

/** Cards for a link field: by a part of the title, or by number. */
@Injectable()
export class SuggestCards {
  constructor(
    private readonly access: ProjectAccess,
    private readonly templates: WorkflowTemplates,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly q: string; readonly children: boolean },
  ): Promise<{ readonly cards: readonly SuggestedCard[] }> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const q = input.q.replaceAll('\0', '').trim().slice(0, 200);
    const number = /^#?(\d{1,9})$/.exec(q)?.[1] ?? null;
    const { types } = await this.templates.of(projectId);
    const only = input.children ? types.filter((type) => type.children).map((type) => type.key) : null;
    const fragment = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    const cards = await this.database.query<SuggestedCard>(
      `SELECT c.id AS "cardId", c.number, c.title, c.type, k.slug AS status, k.terminal
         FROM board.card c JOIN board.board_column k ON k.id = c.column_id
        WHERE c.id IN (
          (SELECT id FROM board.card WHERE project_id = $1 AND number = $2::int)
          UNION ALL
          (SELECT t.card_id FROM board.card_text t JOIN board.card x ON x.id = t.card_id
            WHERE t.project_id = $1 AND t.title ILIKE $3 AND ($4::text[] IS NULL OR x.type = ANY($4))
            ORDER BY t.created_at DESC LIMIT ${ROWS}))
          AND ($4::text[] IS NULL OR c.type = ANY($4))
        ORDER BY c.number IS DISTINCT FROM $2::int, k.terminal, c.updated_at DESC LIMIT ${ROWS}`,
      [projectId, number, fragment, only],
    );
    return { cards };
  }
}
