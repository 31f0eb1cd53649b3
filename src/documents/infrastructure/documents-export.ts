import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';

/** Documents of own projects with all versions, and everything that was said about them. */
@Injectable()
export class DocumentsExport implements ExportContributor, OnModuleInit {
  readonly name = 'documents';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
  }

  *files({ ownedProjectIds }: ExportSubject): Iterable<ExportedFile> {
    for (const [name, sql] of FILES) yield rowsFile(this.database, name, sql, [ownedProjectIds]);
  }
}

const OF_PROJECTS = 'd.project_id = ANY($1::uuid[])';

const FILES: readonly (readonly [string, string])[] = [
  [
    'documents.json',
    `SELECT d.id, d.project_id AS "projectId", d.title, d.status, d.language, d.origin,
            d.created_by_user_id AS "createdBy", d.created_at AS "createdAt", d.archived_at AS "archivedAt",
            d.archive_reason AS "archiveReason", s.name AS series, d.series_ordinal AS "seriesOrdinal",
            (SELECT coalesce(json_agg(t.name ORDER BY t.name), '[]') FROM documents.document_tag dt
             JOIN documents.tag t ON t.id = dt.tag_id WHERE dt.document_id = d.id) AS tags,
            (SELECT coalesce(json_agg(r.target_id ORDER BY r.position), '[]')
             FROM documents.document_reference r WHERE r.document_id = d.id) AS "references",
            (SELECT coalesce(json_agg(json_build_object('number', v.number, 'description', v.description,
               'authorKind', v.author_kind, 'author', v.author_user_id, 'createdAt', v.created_at,
               'markdown', v.markdown) ORDER BY v.number), '[]')
             FROM documents.document_version v WHERE v.document_id = d.id) AS versions
     FROM documents.document d LEFT JOIN documents.series s ON s.id = d.series_id
     WHERE ${OF_PROJECTS} ORDER BY d.created_at, d.id`,
  ],
  [
    'comments.json',
    `SELECT c.id, v.document_id AS "documentId", v.number AS version, c.parent_id AS "parentId",
            c.author_kind AS "authorKind", c.author_user_id AS author, c.body, c.anchor_quote AS quote,
            c.replacement, c.status, c.orphaned, c.moved, c.carried_from_id AS "carriedFrom",
            c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt"
     FROM documents.comment c JOIN documents.document_version v ON v.id = c.document_version_id
     JOIN documents.document d ON d.id = v.document_id WHERE ${OF_PROJECTS} ORDER BY c.created_at, c.id`,
  ],
  [
    'verdicts.json',
    `SELECT w.id, v.document_id AS "documentId", v.number AS version, w.verdict, w.note,
            w.reviewer_user_id AS reviewer, w.submitted_at AS "submittedAt", w.withdrawn_at AS "withdrawnAt"
     FROM documents.verdict w JOIN documents.document_version v ON v.id = w.document_version_id
     JOIN documents.document d ON d.id = v.document_id WHERE ${OF_PROJECTS} ORDER BY w.submitted_at, w.id`,
  ],
  [
    'decisions.json',
    `SELECT a.document_id AS "documentId", a.decision_id AS "decisionId", a.selections, a.note,
            a.updated_by_user_id AS "updatedBy", a.updated_at AS "updatedAt"
     FROM documents.decision_answer a JOIN documents.document d ON d.id = a.document_id
     WHERE ${OF_PROJECTS} ORDER BY a.document_id, a.decision_id`,
  ],
  [
    'section-approvals.json',
    `SELECT a.document_id AS "documentId", a.heading_id AS "headingId", a.user_id AS "approvedBy",
            a.approved_at AS "approvedAt"
     FROM documents.section_approval a JOIN documents.document d ON d.id = a.document_id
     WHERE ${OF_PROJECTS} ORDER BY a.document_id, a.approved_at`,
  ],
  [
    'agent-reviews.json',
    `SELECT r.id, r.document_id AS "documentId", r.version_number AS version, r.card_number AS "cardNumber",
            r.outcome, r.summary, r.submitted_at AS "submittedAt", r.answered_at AS "answeredAt",
            (SELECT coalesce(json_agg(json_build_object('title', f.title, 'body', f.body, 'section', f.section,
               'needsPerson', f.needs_person, 'answer', f.answer, 'reason', f.reason) ORDER BY f.position), '[]')
             FROM documents.agent_review_finding f WHERE f.agent_review_id = r.id) AS findings
     FROM documents.agent_review r JOIN documents.document d ON d.id = r.document_id
     WHERE ${OF_PROJECTS} ORDER BY r.submitted_at, r.id`,
  ],
];
