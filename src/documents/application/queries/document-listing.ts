import { Injectable } from '@nestjs/common';
import type { PageRequest } from '#libs/kernel/page.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import type { AuthorKind, DocumentStatus } from '../../domain/document.js';
import { normalisedName } from '../../domain/labels.js';
import { DocumentWords, found, PHRASE_CHECKS, queriesOf } from './document-words.js';

/** Filters of a list; null takes all. */
export interface ListingFilter {
  readonly search: string | null;
  readonly status: DocumentStatus | null;
  readonly tag: string | null;
  readonly series: string | null;
  /** Takes archived documents too. */
  readonly archived: boolean;
  /** Takes only those with a thread that waits for its reader. */
  readonly waiting: boolean;
}

export interface ListedDocument {
  readonly id: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly version: number;
  readonly versionDescription: string | null;
  readonly author: AuthorKind;
  readonly archived: boolean;
  readonly archiveReason: string | null;
  readonly contentUpdatedAt: Date;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
}

export interface Listing {
  readonly documents: readonly ListedDocument[];
  readonly total: number;
  /** Documents with the words of a phrase in which nobody looked whether they stand together. */
  readonly unchecked: number;
}

/** Rows of a list in one statement, without touching any text of a document; a search takes one more. */
@Injectable()
export class DocumentListing {
  constructor(
    private readonly database: Database,
    private readonly words: DocumentWords,
  ) {}

  async page(projectId: string, filter: ListingFilter, paging: PageRequest): Promise<Listing> {
    if (filter.search === null) return this.read(projectId, filter, paging);
    return this.database.snapshot(() => this.read(projectId, filter, paging));
  }

  private async read(projectId: string, filter: ListingFilter, paging: PageRequest): Promise<Listing> {
    const p = new Parameters();
    const conditions = this.conditions(projectId, filter, p);
    const branches = filter.search === null ? [] : await this.words.branches([projectId], filter.search);
    if (filter.search !== null && branches.length === 0) return { documents: [], total: 0, unchecked: 0 };
    const phrase = branches.some((branch) => branch.phrase);
    const source =
      filter.search === null
        ? allOf(conditions)
        : found(queriesOf(branches, { text: filter.search }, [projectId], p), conditions, phrase);
    const order = [
      ...(filter.series === null ? [] : ['series_ordinal']),
      ...(filter.search === null ? [] : ['rank DESC NULLS LAST']),
      'content_updated_at DESC',
      'id',
    ];
    const limit = p.add(paging.perPage);
    const offset = p.add((paging.page - 1) * paging.perPage);
    const total = isPlain(filter) ? countedTotal(filter) : 'SELECT count(*)::int FROM matching';
    const unchecked = phrase ? `SELECT greatest(count(*) - ${PHRASE_CHECKS}, 0)::int FROM candidates` : '0';
    const rows = await this.database.query<ListedDocument & { total: number; unchecked: number }>(
      `WITH ${source}, page AS (
         SELECT * FROM matching ORDER BY ${order.join(', ')} LIMIT ${limit} OFFSET ${offset}
       )
       SELECT (${total}) AS total, (${unchecked}) AS unchecked, listed.*
       FROM (SELECT 1) AS one LEFT JOIN (
         SELECT page.rank, page.series_ordinal, page.content_updated_at, d.id, d.title, d.status,
                d.current_version AS version, v.description AS "versionDescription", v.author_kind AS author,
                d.archived_at IS NOT NULL AS archived, d.archive_reason AS "archiveReason",
                d.content_updated_at AS "contentUpdatedAt", s.name AS series, d.series_ordinal AS "seriesOrdinal",
                ARRAY(SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
                      WHERE dt.document_id = d.id ORDER BY t.name) AS tags
         FROM page
         -- LIMIT keeps the planner from reading whole tables for the rows of one page.
         CROSS JOIN LATERAL (SELECT * FROM documents.document WHERE id = page.id LIMIT 1) AS d
         CROSS JOIN LATERAL (
           SELECT description, author_kind FROM documents.document_version
           WHERE document_id = d.id AND number = d.current_version LIMIT 1
         ) AS v
         LEFT JOIN documents.series s ON s.id = d.series_id
       ) AS listed ON true
       ORDER BY ${order.map((column) => `listed.${column}`).join(', ')}`,
      p.values,
    );
    return {
      documents: rows.filter((row) => row.id !== null),
      total: rows[0]?.total ?? 0,
      unchecked: rows[0]?.unchecked ?? 0,
    };
  }

  private conditions(projectId: string, filter: ListingFilter, p: Parameters): string[] {
    let placeholder = '';
    const project = () => {
      placeholder ||= p.add(projectId);
      return placeholder;
    };
    // Under a search the words name the project; saying it twice would offer the planner an index that knows no words.
    const conditions = filter.search === null ? [`d.project_id = ${project()}`] : [];
    if (filter.status !== null) conditions.push(`d.status = ${p.add(filter.status)}`);
    if (!filter.archived) conditions.push('d.archived_at IS NULL');
    if (filter.tag !== null)
      conditions.push(
        `d.id IN (SELECT dt.document_id FROM documents.tag t JOIN documents.document_tag dt ON dt.tag_id = t.id
                  WHERE t.project_id = ${project()} AND t.name = ${p.add(normalisedName(filter.tag))})`,
      );
    if (filter.series !== null)
      conditions.push(
        `d.series_id = (SELECT s.id FROM documents.series s
                        WHERE s.project_id = ${project()} AND s.normalized_name = ${p.add(normalisedName(filter.series))})`,
      );
    if (filter.waiting)
      conditions.push(
        `EXISTS (SELECT FROM documents.waiting_thread w
                 WHERE w.project_id = ${project()} AND w.document_id = d.id AND w.version_number = d.current_version)`,
      );
    return conditions;
  }
}

/** Whether the total stands in the counts that are kept by status. */
function isPlain({ search, tag, series, waiting }: ListingFilter): boolean {
  return search === null && tag === null && series === null && !waiting;
}

/** The status is the second parameter, after the project. */
function countedTotal({ archived, status }: ListingFilter): string {
  return `SELECT coalesce(sum(c.documents), 0)::int FROM documents.document_count c
          WHERE c.project_id = $1${archived ? '' : ' AND NOT c.archived'}${status === null ? '' : ' AND c.status = $2'}`;
}

/** Without a search the page comes straight from the index of recent documents. */
function allOf(conditions: readonly string[]): string {
  return `matching AS NOT MATERIALIZED (
            SELECT d.id, d.content_updated_at, d.series_ordinal, 0 AS rank
            FROM documents.document d WHERE ${conditions.join(' AND ')}
          )`;
}
