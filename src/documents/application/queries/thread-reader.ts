import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import type { AuthorKind } from '../../domain/document.js';
import type { ThreadStatus } from '../../domain/thread.js';

/** A reply as it is stored. */
export interface ReplyRow {
  readonly id: string;
  readonly threadId: string;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  readonly body: string;
  readonly bodyHtml: string;
  readonly createdAt: Date;
}

/** A root comment as it is stored. */
export interface RootRow {
  readonly id: string;
  readonly versionId: string;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  readonly body: string;
  readonly bodyHtml: string;
  readonly quote: string | null;
  readonly prefix: string | null;
  readonly suffix: string | null;
  readonly start: number | null;
  readonly replacement: string | null;
  readonly status: ThreadStatus;
  readonly orphaned: boolean;
  readonly moved: boolean;
  readonly deletedAt: Date | null;
  readonly deletedByUserId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ThreadRows {
  readonly root: RootRow;
  readonly replies: readonly ReplyRow[];
}

/** What is needed to choose the threads of one answer, without their texts. */
export interface ThreadOutline {
  readonly id: string;
  readonly status: ThreadStatus;
  readonly orphaned: boolean;
  /** Characters of the texts of the thread. */
  readonly characters: number;
  readonly replies: number;
}

/** Whole-document threads first, then in text order, those without their passage last. */
const TEXT_ORDER = `c.orphaned, c.anchor_start IS NOT NULL, c.anchor_start, c.created_at, c.id`;

const ROOT_COLUMNS = `c.id, c.document_version_id AS "versionId", c.author_kind AS "authorKind",
  c.author_user_id AS "authorUserId", c.body, c.body_html AS "bodyHtml", c.anchor_quote AS quote,
  c.anchor_prefix AS prefix, c.anchor_suffix AS suffix, c.anchor_start AS start, c.replacement, c.status,
  c.orphaned, c.moved, c.deleted_at AS "deletedAt", c.deleted_by_user_id AS "deletedByUserId",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** Threads for readers: one statement for the roots, one for all their replies. */
@Injectable()
export class ThreadReader {
  constructor(private readonly database: Database) {}

  async ofVersion(versionId: string): Promise<ThreadRows[]> {
    return this.where(
      'c.document_version_id = $1 AND c.parent_id IS NULL AND c.deleted_at IS NULL',
      versionId,
      TEXT_ORDER,
    );
  }

  /** Deleted threads of all versions, the last deleted first. */
  async deleted(documentId: string): Promise<ThreadRows[]> {
    return this.where(
      `c.document_version_id IN (SELECT id FROM documents.document_version WHERE document_id = $1)
       AND c.parent_id IS NULL AND c.deleted_at IS NOT NULL`,
      documentId,
      'c.deleted_at DESC, c.id',
    );
  }

  async byIds(ids: readonly string[]): Promise<ThreadRows[]> {
    return this.where('c.id = ANY($1::uuid[]) AND c.parent_id IS NULL', ids, TEXT_ORDER);
  }

  async outlines(versionId: string): Promise<ThreadOutline[]> {
    return this.database.query<ThreadOutline>(
      `SELECT c.id, c.status, c.orphaned, coalesce(r.replies, 0)::int AS replies,
              (char_length(c.body) + coalesce(char_length(c.anchor_quote), 0)
               + coalesce(char_length(c.replacement), 0) + coalesce(r.characters, 0))::int AS characters
       FROM documents.comment c
       LEFT JOIN (
         SELECT parent_id, count(*) AS replies, sum(char_length(body)) AS characters
         FROM documents.comment WHERE document_version_id = $1 AND parent_id IS NOT NULL GROUP BY parent_id
       ) AS r ON r.parent_id = c.id
       WHERE c.document_version_id = $1 AND c.parent_id IS NULL AND c.deleted_at IS NULL
       ORDER BY ${TEXT_ORDER}`,
      [versionId],
    );
  }

  private async where(condition: string, parameter: unknown, order: string): Promise<ThreadRows[]> {
    const roots = await this.database.query<RootRow>(
      `SELECT ${ROOT_COLUMNS} FROM documents.comment c WHERE ${condition} ORDER BY ${order}`,
      [parameter],
    );
    if (roots.length === 0) return [];
    const replies = await this.database.query<ReplyRow>(
      `SELECT id, parent_id AS "threadId", author_kind AS "authorKind", author_user_id AS "authorUserId",
              body, body_html AS "bodyHtml", created_at AS "createdAt"
       FROM documents.comment WHERE parent_id = ANY($1::uuid[]) ORDER BY created_at, id`,
      [roots.map((root) => root.id)],
    );
    const byThread = new Map<string, ReplyRow[]>(roots.map((root) => [root.id, []]));
    for (const reply of replies) byThread.get(reply.threadId)?.push(reply);
    return roots.map((root) => ({ root, replies: byThread.get(root.id) ?? [] }));
  }
}
