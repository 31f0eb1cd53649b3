import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  HEADLINE_OPTIONS,
  headline,
  markedHtml,
  placesOf,
  TITLE_OPTIONS,
} from '#libs/persistence/headline.js';
import { Parameters } from '#libs/persistence/parameters.js';
import {
  RESULTS_A_PAGE,
  type SearchProvider,
  SearchProviders,
  type SearchQuery,
  type SearchResult,
  soughtWords,
} from '#src/platform/application/ports/search-providers.js';
import {
  type Branch,
  DocumentWords,
  found,
  queriesOf,
  TITLED,
  wordsOfBranch,
} from '../application/queries/document-words.js';

interface Row {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: string;
  readonly archived: boolean;
  readonly titleMarked: string;
  readonly marked: string;
  readonly beginning: string;
  readonly titled: boolean;
}

/** Documents in the search of the whole product: title and newest version, archived ones and drafts too. */
@Injectable()
export class DocumentsSearch implements SearchProvider, OnModuleInit {
  readonly name = 'documents';

  constructor(
    private readonly database: Database,
    private readonly words: DocumentWords,
    private readonly providers: SearchProviders,
  ) {}

  onModuleInit(): void {
    this.providers.register(this);
  }

  search(
    projectIds: readonly string[],
    query: SearchQuery,
    page: number,
  ): Promise<{ results: SearchResult[]; hasMore: boolean }> {
    return this.database.snapshot(async () => {
      const branches = await this.words.branches(projectIds, query.text);
      if (branches.length === 0) return { results: [], hasMore: false };
      const rows = await this.read(branches, projectIds, query, page);
      return { results: rows.slice(0, RESULTS_A_PAGE).map(resultOf), hasMore: rows.length > RESULTS_A_PAGE };
    });
  }

  private read(
    branches: readonly Branch[],
    projectIds: readonly string[],
    query: SearchQuery,
    page: number,
  ): Promise<Row[]> {
    const p = new Parameters();
    const sought = queriesOf(branches, query, projectIds, p);
    const phrase = branches.some((branch) => branch.phrase);
    const configuration = `(${p.add(branches.map((branch) => branch.configuration))}::text[])[page.branch + 1]::regconfig`;
    const words = wordsOfBranch(sought.words, 'page.branch');
    const limit = p.add(RESULTS_A_PAGE + 1);
    const offset = p.add((page - 1) * RESULTS_A_PAGE);
    const title = headline({ configuration, text: 'd.title', query: words, options: p.add(TITLE_OPTIONS) });
    const marked = headline({
      configuration,
      text: 'v.plain_text',
      query: words,
      options: p.add(HEADLINE_OPTIONS),
      places: p.add(placesOf(soughtWords(query.text))),
    });
    return this.database.query<Row>(
      `WITH ${found(sought, [], phrase)}, page AS MATERIALIZED (
         SELECT * FROM matching ORDER BY rank DESC NULLS LAST, content_updated_at DESC, id
         LIMIT ${limit} OFFSET ${offset}
       )
       SELECT d.id, d.project_id AS "projectId", d.title, d.status, d.archived_at IS NOT NULL AS archived,
              ${title} AS "titleMarked", ${marked} AS marked, left(v.plain_text, 200) AS beginning,
              coalesce(page.rank = ${TITLED}, false) AS titled
       FROM page
       CROSS JOIN LATERAL (SELECT * FROM documents.document WHERE id = page.id LIMIT 1) AS d
       CROSS JOIN LATERAL (
         SELECT plain_text FROM documents.document_version
         WHERE document_id = d.id AND number = d.current_version LIMIT 1
       ) AS v
       ORDER BY page.rank DESC NULLS LAST, page.content_updated_at DESC, page.id`,
      p.values,
    );
  }
}

function resultOf({
  id,
  projectId,
  title,
  titleMarked,
  status,
  archived,
  marked,
  beginning,
  titled,
}: Row): SearchResult {
  return {
    kind: 'document',
    projectId,
    title,
    titleMarked: markedHtml({ marked: titleMarked }) ?? '',
    url: `/projects/${projectId}/documents/${id}/review`,
    snippet: markedHtml({ marked, beginning }),
    number: null,
    status,
    finished: false,
    archived,
    named: titled ? 'title' : null,
  };
}
