import { Injectable } from '@nestjs/common';
import type { PageRequest } from '#libs/kernel/page.js';
import { Database } from '#libs/persistence/database.js';
import type { AuthorKind, DocumentStatus } from '../../domain/document.js';
import { normalisedName } from '../../domain/labels.js';
import { Languages } from '../languages.js';

/** Filters of a list; null takes all. */
export interface ListingFilter {
  readonly search: string | null;
  readonly status: DocumentStatus | null;
  readonly tag: string | null;
  readonly series: string | null;
  /** Takes archived documents too. */
  readonly archived: boolean;
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
}

/** Statement parameters, numbered as they come. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Rows of a list in one statement, without touching any text of a document; a search takes one more. */
@Injectable()
export class DocumentListing {
  constructor(
    private readonly database: Database,
    private readonly languages: Languages,
  ) {}

  async page(projectId: string, filter: ListingFilter, { page, perPage }: PageRequest): Promise<Listing> {
    const p = new Parameters();
    const conditions = [`d.project_id = ${p.add(projectId)}`];
    let rank = '0';
    if (filter.search !== null) {
      const branches = await this.branches(projectId, filter.search, p);
      if (branches.length === 0) return { documents: [], total: 0 };
      conditions.push(`(${branches.map((b) => `(d.language = ${b.language} AND ${b.match})`).join(' OR ')})`);
      rank = `CASE d.language ${branches.map((b) => `WHEN ${b.language} THEN ${b.rank}`).join(' ')} END`;
    }
    if (!filter.archived) conditions.push('d.archived_at IS NULL');
    if (filter.status !== null) conditions.push(`d.status = ${p.add(filter.status)}`);
    if (filter.tag !== null)
      conditions.push(
        `d.id IN (SELECT dt.document_id FROM documents.tag t JOIN documents.document_tag dt ON dt.tag_id = t.id
                  WHERE t.project_id = $1 AND t.name = ${p.add(normalisedName(filter.tag))})`,
      );
    if (filter.series !== null)
      conditions.push(
        `d.series_id = (SELECT s.id FROM documents.series s
                        WHERE s.project_id = $1 AND s.normalized_name = ${p.add(normalisedName(filter.series))})`,
      );
    const order = [
      ...(filter.series === null ? [] : ['series_ordinal']),
      ...(filter.search === null ? [] : ['rank DESC']),
      'content_updated_at DESC',
      'id',
    ];
    // Ranks are worked out once; without a search the page comes straight from the index of recent documents.
    const once = filter.search === null ? 'NOT MATERIALIZED' : 'MATERIALIZED';
    const rows = await this.database.query<ListedDocument & { total: number }>(
      `WITH matching AS ${once} (
         SELECT d.id, d.content_updated_at, d.series_ordinal, ${rank} AS rank
         FROM documents.document d WHERE ${conditions.join(' AND ')}
       ), page AS (
         SELECT * FROM matching ORDER BY ${order.join(', ')} LIMIT ${p.add(perPage)} OFFSET ${p.add((page - 1) * perPage)}
       )
       SELECT (SELECT count(*)::int FROM matching) AS total, listed.*
       FROM (SELECT 1) AS one LEFT JOIN (
         SELECT page.rank, page.series_ordinal, page.content_updated_at, d.id, d.title, d.status,
                d.current_version AS version, v.description AS "versionDescription", v.author_kind AS author,
                d.archived_at IS NOT NULL AS archived, d.archive_reason AS "archiveReason",
                d.content_updated_at AS "contentUpdatedAt", s.name AS series, d.series_ordinal AS "seriesOrdinal",
                ARRAY(SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
                      WHERE dt.document_id = d.id ORDER BY t.name) AS tags
         FROM page
         JOIN documents.document d ON d.id = page.id
         JOIN documents.document_version v ON v.document_id = d.id AND v.number = d.current_version
         LEFT JOIN documents.series s ON s.id = d.series_id
       ) AS listed ON true
       ORDER BY ${order.map((column) => `listed.${column}`).join(', ')}`,
      p.values,
    );
    return { documents: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
  }

  /** One branch a language of the project, with constants, so that each can use the index of the vectors. */
  private async branches(projectId: string, search: string, p: Parameters) {
    const installed = await this.languages.installed();
    const used = await this.database.query<{ language: string }>(
      `WITH RECURSIVE used AS (
         (SELECT language FROM documents.document WHERE project_id = $1 ORDER BY language LIMIT 1)
         UNION ALL
         SELECT (SELECT d.language FROM documents.document d
                 WHERE d.project_id = $1 AND d.language > used.language ORDER BY d.language LIMIT 1)
         FROM used WHERE used.language IS NOT NULL
       ) SELECT language FROM used WHERE language IS NOT NULL`,
      [projectId],
    );
    const words = p.add(search);
    return used.map(({ language }) => {
      const configuration = installed.includes(language) ? language : 'simple';
      const query = `websearch_to_tsquery(${p.add(configuration)}::text::regconfig, ${words})`;
      return {
        language: p.add(language),
        match: `d.search_vector @@ ${query}`,
        rank: `ts_rank_cd(d.search_vector, ${query})`,
      };
    });
  }
}
