import { Injectable } from '@nestjs/common';
import { Ids } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';
import {
  type CarriedThread,
  type CommentPlace,
  type NewReply,
  type OpenThread,
  ThreadRepository,
} from '../application/ports/thread-repository.js';
import type { Thread } from '../domain/thread.js';
import { anchorOf, THREAD_COLUMNS, type ThreadRow, threadOf } from './rows.js';

const OPEN = `parent_id IS NULL AND status <> 'resolved' AND deleted_at IS NULL`;

@Injectable()
export class PostgresThreadRepository extends ThreadRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {
    super();
  }

  override async places(projectId: string, commentIds: readonly string[]): Promise<CommentPlace[]> {
    return this.database.query<CommentPlace>(
      `SELECT c.id, v.document_id AS "documentId", v.number AS "versionNumber", c.parent_id IS NOT NULL AS "isReply",
              coalesce(root.deleted_at, c.deleted_at) IS NOT NULL AS deleted
       FROM documents.comment c
       JOIN documents.document_version v ON v.id = c.document_version_id
       JOIN documents.document d ON d.id = v.document_id
       LEFT JOIN documents.comment root ON root.id = c.parent_id
       WHERE c.id = ANY($1::uuid[]) AND d.project_id = $2`,
      [commentIds, projectId],
    );
  }

  override async currentRoots(commentIds: readonly string[]): Promise<Map<string, string>> {
    if (commentIds.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; current: string }>(
      `WITH RECURSIVE copies AS (
         SELECT c.id AS asked, coalesce(c.parent_id, c.id) AS id FROM documents.comment c WHERE c.id = ANY($1::uuid[])
         UNION ALL
         SELECT copies.asked, c.id FROM copies JOIN documents.comment c ON c.carried_from_id = copies.id
       )
       SELECT copies.asked AS id, c.id AS current
       FROM copies
       JOIN documents.comment c ON c.id = copies.id AND c.deleted_at IS NULL
       JOIN documents.document_version v ON v.id = c.document_version_id
       JOIN documents.document d ON d.id = v.document_id AND d.current_version = v.number`,
      [commentIds],
    );
    return new Map(rows.map((row) => [row.id, row.current]));
  }

  override async threads(ids: readonly string[]): Promise<Thread[]> {
    const rows = await this.database.query<ThreadRow>(
      `SELECT ${THREAD_COLUMNS} FROM documents.comment c WHERE c.id = ANY($1::uuid[]) AND c.parent_id IS NULL`,
      [ids],
    );
    return rows.map(threadOf);
  }

  override async add(thread: Thread, bodyHtml: string): Promise<void> {
    const t = thread.state;
    await this.database.query(
      `INSERT INTO documents.comment
         (id, document_version_id, author_kind, author_user_id, body, body_html,
          anchor_quote, anchor_prefix, anchor_suffix, anchor_start, replacement, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        t.id,
        t.versionId,
        t.authorKind,
        t.authorUserId,
        t.body,
        bodyHtml,
        t.anchor?.quote ?? null,
        t.anchor?.prefix ?? null,
        t.anchor?.suffix ?? null,
        t.anchor?.start ?? null,
        t.replacement,
        t.status,
        t.createdAt,
        t.updatedAt,
      ],
    );
  }

  override async save(threads: readonly Thread[], bodyHtml?: string): Promise<void> {
    for (const { state: t } of threads) {
      await this.database.query(
        `UPDATE documents.comment
         SET status = $2, deleted_at = $3, deleted_by_user_id = $4, body = $5, body_html = coalesce($6, body_html),
             anchor_quote = $7, anchor_prefix = $8, anchor_suffix = $9, anchor_start = $10,
             orphaned = $11, moved = $12, updated_at = $13
         WHERE id = $1`,
        [
          t.id,
          t.status,
          t.deletedAt,
          t.deletedByUserId,
          t.body,
          bodyHtml ?? null,
          t.anchor?.quote ?? null,
          t.anchor?.prefix ?? null,
          t.anchor?.suffix ?? null,
          t.anchor?.start ?? null,
          t.orphaned,
          t.moved,
          t.updatedAt,
        ],
      );
    }
  }

  override async addReply(reply: NewReply): Promise<void> {
    await this.database.query(
      `INSERT INTO documents.comment
         (id, document_version_id, parent_id, author_kind, author_user_id, body, body_html, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        reply.id,
        reply.versionId,
        reply.threadId,
        reply.authorKind,
        reply.authorUserId,
        reply.body,
        reply.bodyHtml,
        reply.createdAt,
      ],
    );
  }

  override async purge(threadId: string): Promise<void> {
    await this.database.query('DELETE FROM documents.comment WHERE id = $1', [threadId]);
  }

  override async open(versionId: string): Promise<OpenThread[]> {
    return this.anchors(versionId, OPEN);
  }

  override async resolved(versionId: string): Promise<OpenThread[]> {
    return this.anchors(versionId, `parent_id IS NULL AND status = 'resolved' AND deleted_at IS NULL`);
  }

  private async anchors(versionId: string, condition: string): Promise<OpenThread[]> {
    const rows = await this.database.query<
      Pick<ThreadRow, 'id' | 'quote' | 'prefix' | 'suffix' | 'start' | 'replacement'>
    >(
      `SELECT id, anchor_quote AS quote, anchor_prefix AS prefix, anchor_suffix AS suffix, anchor_start AS start,
              replacement
       FROM documents.comment WHERE document_version_id = $1 AND ${condition} ORDER BY created_at, id`,
      [versionId],
    );
    return rows.map((row) => ({ id: row.id, anchor: anchorOf(row), replacement: row.replacement }));
  }

  override async carry(toVersionId: string, threads: readonly CarriedThread[]): Promise<void> {
    if (threads.length === 0) return;
    await this.database.query(
      `INSERT INTO documents.comment
         (id, document_version_id, author_kind, author_user_id, body, body_html, anchor_quote, anchor_prefix,
          anchor_suffix, anchor_start, replacement, status, orphaned, moved, carried_from_id, created_at, updated_at)
       SELECT n.new_id, $1, c.author_kind, c.author_user_id, c.body, c.body_html, n.quote, n.prefix,
              n.suffix, n.start, c.replacement, c.status, n.orphaned, n.moved, c.id, c.created_at, c.updated_at
       FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[], $8::boolean[], $9::boolean[])
            AS n (old_id, new_id, quote, prefix, suffix, start, orphaned, moved)
       JOIN documents.comment c ON c.id = n.old_id`,
      [
        toVersionId,
        threads.map((t) => t.id),
        threads.map((t) => t.newId),
        threads.map((t) => t.anchor?.quote ?? null),
        threads.map((t) => t.anchor?.prefix ?? null),
        threads.map((t) => t.anchor?.suffix ?? null),
        threads.map((t) => t.anchor?.start ?? null),
        threads.map((t) => t.orphaned),
        threads.map((t) => t.moved),
      ],
    );
    const replies = await this.database.query<{ id: string; threadId: string }>(
      `SELECT id, parent_id AS "threadId" FROM documents.comment
       WHERE parent_id = ANY($1::uuid[]) ORDER BY created_at, id`,
      [threads.map((t) => t.id)],
    );
    if (replies.length === 0) return;
    const newIds = new Map(threads.map((t) => [t.id, t.newId]));
    // Bodies are copied inside the database: a thousand long threads never pass through here.
    await this.database.query(
      `INSERT INTO documents.comment
         (id, document_version_id, parent_id, author_kind, author_user_id, body, body_html, carried_from_id, created_at, updated_at)
       SELECT n.new_id, $1, n.parent_id, c.author_kind, c.author_user_id, c.body, c.body_html, c.id, c.created_at, c.updated_at
       FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS n (old_id, new_id, parent_id)
       JOIN documents.comment c ON c.id = n.old_id`,
      [
        toVersionId,
        replies.map((reply) => reply.id),
        replies.map(() => this.ids.next()),
        replies.map((reply) => newIds.get(reply.threadId)),
      ],
    );
  }

  override async countOpen(versionId: string): Promise<number> {
    return this.count(versionId, OPEN);
  }

  override async countPending(versionId: string): Promise<number> {
    return this.count(versionId, `parent_id IS NULL AND status = 'pending' AND deleted_at IS NULL`);
  }

  private async count(versionId: string, condition: string): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      `SELECT count(*)::int AS n FROM documents.comment WHERE document_version_id = $1 AND ${condition}`,
      [versionId],
    );
    return row?.n ?? 0;
  }
}
