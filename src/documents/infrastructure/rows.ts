import type { Anchor } from '#libs/anchoring/anchor.js';
import { Document, type DocumentState } from '../domain/document.js';
import { Thread, type ThreadState } from '../domain/thread.js';
import type { Verdict } from '../domain/verdict.js';

export type DocumentRow = DocumentState;

/** Columns of `documents.document d` as the aggregate names them. */
export const DOCUMENT_COLUMNS = `d.id, d.project_id AS "projectId", d.title, d.status, d.language,
  d.current_version AS "currentVersion", d.series_id AS "seriesId", d.series_ordinal AS "seriesOrdinal",
  d.archived_at AS "archivedAt", d.archive_reason AS "archiveReason", d.origin,
  d.created_by_user_id AS "createdByUserId", d.created_at AS "createdAt", d.content_updated_at AS "contentUpdatedAt"`;

export function documentOf(row: DocumentRow): Document {
  return Document.restore(row);
}

export interface ThreadRow extends Omit<ThreadState, 'anchor'> {
  readonly quote: string | null;
  readonly prefix: string | null;
  readonly suffix: string | null;
  readonly start: number | null;
}

/** Columns of a root comment `c`, with the number of its replies. */
export const THREAD_COLUMNS = `c.id, c.document_version_id AS "versionId", c.author_kind AS "authorKind",
  c.author_user_id AS "authorUserId", c.body, c.anchor_quote AS quote, c.anchor_prefix AS prefix,
  c.anchor_suffix AS suffix, c.anchor_start AS start, c.replacement, c.status, c.orphaned, c.moved,
  c.deleted_at AS "deletedAt", c.deleted_by_user_id AS "deletedByUserId",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  (SELECT count(*)::int FROM documents.comment r WHERE r.parent_id = c.id) AS replies`;

export function threadOf({ quote, prefix, suffix, start, ...row }: ThreadRow): Thread {
  return Thread.restore({ ...row, anchor: anchorOf({ quote, prefix, suffix, start }) });
}

/** Null for a comment about the whole document. */
export function anchorOf(row: Pick<ThreadRow, 'quote' | 'prefix' | 'suffix' | 'start'>): Anchor | null {
  const { quote, prefix, suffix, start } = row;
  if (quote === null || prefix === null || suffix === null || start === null) return null;
  return { quote, prefix, suffix, start };
}

export type VerdictRow = Verdict;

/** Columns of `documents.verdict v`. */
export const VERDICT_COLUMNS = `v.id, v.document_version_id AS "versionId", v.verdict, v.note,
  v.reviewer_user_id AS "reviewerUserId", v.submitted_at AS "submittedAt",
  v.withdrawn_at AS "withdrawnAt", v.withdrawn_by_user_id AS "withdrawnByUserId"`;
