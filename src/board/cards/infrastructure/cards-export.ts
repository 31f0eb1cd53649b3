import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';

/** Cards of own projects with their text, links and history. */
@Injectable()
export class CardsExport implements ExportContributor, OnModuleInit {
  readonly name = 'cards';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
  }

  *files({ ownedProjectIds }: ExportSubject): Iterable<ExportedFile> {
    yield rowsFile(this.database, 'cards.json', CARDS, [ownedProjectIds]);
  }
}

const CARDS = `
  SELECT c.id, c.project_id AS "projectId", c.number, c.title, c.type, k.label AS "column", b.body,
         c.reporter, c.source_kind AS source, c.parent_card_id AS parent, c.completed_at AS "completedAt",
         c.created_by AS "createdBy", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         (SELECT coalesce(json_agg(json_build_object('card', CASE WHEN l.a_id = c.id THEN l.b_id ELSE l.a_id END,
            'blocker', l.blocker_id)), '[]')
          FROM board.card_link l WHERE c.id IN (l.a_id, l.b_id) AND l.project_id = c.project_id) AS links,
         (SELECT coalesce(json_agg(p.url ORDER BY p.position), '[]')
          FROM board.card_pull_request p WHERE p.card_id = c.id) AS "pullRequests",
         (SELECT coalesce(json_agg(d.document_id ORDER BY d.position), '[]')
          FROM board.card_document d WHERE d.card_id = c.id) AS documents,
         (SELECT json_build_object('heldBy', h.held_by, 'heldAt', h.held_at, 'note', h.note)
          FROM board.card_hold h WHERE h.card_id = c.id) AS hold,
         (SELECT coalesce(json_agg(json_build_object('kind', y.kind, 'at', y.occurred_at, 'actorKind', y.actor_kind,
            'actor', y.actor_user_id, 'payload', y.payload) ORDER BY y.occurred_at, y.id), '[]')
          FROM board.card_history y WHERE y.card_id = c.id) AS history
  FROM board.card c
  LEFT JOIN board.board_column k ON k.id = c.column_id
  LEFT JOIN board.card_body b ON b.card_id = c.id
  WHERE c.project_id = ANY($1::uuid[]) ORDER BY c.project_id, c.number`;
