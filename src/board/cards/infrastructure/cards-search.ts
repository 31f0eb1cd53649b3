import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import {
  HEADLINE_OPTIONS,
  headline,
  markedHtml,
  placesOf,
  TITLE_OPTIONS,
} from '#libs/persistence/headline.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { beginningOf, titleIs, wordsQuery } from '#libs/persistence/search-words.js';
import {
  RESULTS_A_PAGE,
  type SearchProvider,
  SearchProviders,
  type SearchQuery,
  type SearchResult,
  soughtWords,
} from '#src/platform/application/ports/search-providers.js';

/** Cards of one project in one language, and the words as that language reads them. */
interface Shelf {
  readonly projectId: string;
  readonly language: string;
  readonly query: string;
  /** The word that names the shelf in the vectors, as the text of a query. */
  readonly scope: string;
  /** Of the project, in all languages. */
  readonly cards: number;
}

interface Row {
  readonly projectId: string;
  readonly number: number;
  readonly title: string;
  readonly finished: boolean;
  readonly titleMarked: string;
  readonly marked: string;
  readonly beginning: string;
}

/** Of the matches the newest are ranked; older ones follow by age (decision 0304). */
const RANKED = 500;

/** A shelf with more matches than this is read from its newest cards on, where they lie close together. */
const FEW = 12_000;
const FEWEST = 1_000;

/** Cards in the search of the whole product, finished ones too; none while the board is off. */
@Injectable()
export class CardsSearch implements SearchProvider, OnModuleInit {
  readonly name = 'cards';

  constructor(
    private readonly database: Database,
    private readonly flags: Flags,
    private readonly providers: SearchProviders,
  ) {}

  onModuleInit(): void {
    this.providers.register(this);
  }

  async search(
    projectIds: readonly string[],
    query: SearchQuery,
    page: number,
  ): Promise<{ results: SearchResult[]; hasMore: boolean }> {
    if (!this.flags.isOn('board.enabled')) return { results: [], hasMore: false };
    return this.database.snapshot(async () => {
      const from = (page - 1) * RESULTS_A_PAGE;
      const named = await this.named(projectIds, query, from + RESULTS_A_PAGE + 1);
      const shelves = await this.shelves(projectIds, query);
      const first = [...named.keys()].slice(from);
      const offset = Math.max(from - named.size, 0);
      const others = await this.matching(
        shelves,
        [...named.keys()],
        offset,
        RESULTS_A_PAGE + 1 - first.length,
      );
      const ids = [...first, ...others];
      const shown = ids.slice(0, RESULTS_A_PAGE);
      const rows = await this.read(shown, shelves, query);
      return {
        results: rows.map((row, index) => resultOf(row, named.get(shown[index]!) ?? null)),
        hasMore: ids.length > RESULTS_A_PAGE,
      };
    });
  }

  /** The first cards that were asked for by their number, then those by their whole title, and by which. */
  private async named(
    projectIds: readonly string[],
    { number, text }: SearchQuery,
    limit: number,
  ): Promise<ReadonlyMap<string, 'number' | 'title'>> {
    const p = new Parameters();
    const projects = p.add(projectIds);
    const rows = await this.database.query<{ id: string; by: 'number' | 'title' }>(
      `(SELECT id, 'number' AS by, updated_at AS at FROM board.card
         WHERE project_id = ANY(${projects}::uuid[]) AND number = ${p.add(number)}::int
         ORDER BY updated_at DESC, id DESC LIMIT ${p.add(limit)})
       UNION ALL
       (SELECT card_id, 'title', created_at FROM board.card_text
         WHERE project_id = ANY(${projects}::uuid[]) AND ${titleIs('title', text, p)}
         ORDER BY created_at DESC, card_id DESC LIMIT ${p.add(limit)})
       ORDER BY by, at DESC, id DESC`,
      p.values,
    );
    const named = new Map<string, 'number' | 'title'>();
    for (const { id, by } of rows.slice(0, limit)) if (!named.has(id)) named.set(id, by);
    return named;
  }

  /** The same statement turns scans of whole tables off until the transaction ends: words come from their index. */
  private shelves(projectIds: readonly string[], { text, begun }: SearchQuery): Promise<Shelf[]> {
    const words = wordsQuery({
      configuration: 'c.configuration',
      text: '$2',
      begun: begun && { word: '$3', before: '$4', beginning: '$5' },
    });
    return this.database.query<Shelf>(
      `SELECT project.id AS "projectId", u.language, w.query::text AS query,
              quote_literal(board.search_scope(project.id, u.language)) AS scope,
              (SELECT coalesce(sum(k.cards), 0)::int FROM board.board_column k WHERE k.project_id = project.id) AS cards,
              set_config('enable_seqscan', 'off', true)
         FROM unnest($1::uuid[]) AS project (id)
         CROSS JOIN LATERAL (
           WITH RECURSIVE used AS (
             (SELECT language FROM board.card_text WHERE project_id = project.id ORDER BY language LIMIT 1)
             UNION ALL
             SELECT (SELECT t.language FROM board.card_text t
                      WHERE t.project_id = project.id AND t.language > used.language ORDER BY t.language LIMIT 1)
               FROM used WHERE used.language IS NOT NULL
           ) SELECT language FROM used WHERE language IS NOT NULL
         ) u
         CROSS JOIN LATERAL (SELECT board.search_configuration(u.language) AS configuration) c
         CROSS JOIN LATERAL (SELECT ${words} AS query) w
        WHERE numnode(w.query) > 0`,
      [projectIds, text, ...(begun ? [begun.word, begun.before, beginningOf(begun.word)] : [])],
    );
  }

  /** Ids of cards with the words, best first. */
  private async matching(
    shelves: readonly Shelf[],
    without: readonly string[],
    offset: number,
    limit: number,
  ): Promise<string[]> {
    if (shelves.length === 0 || limit <= 0) return [];
    const looks = looksInto(shelves);
    const newest = Math.max(RANKED, offset + limit) + without.length;
    const rows = await this.database.query<{ id: string }>(
      `WITH shelf AS MATERIALIZED (
         SELECT nr, project_id, language, query::tsquery AS query, within::tsquery AS within, few
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $8::int[]) WITH ORDINALITY
                AS s (project_id, language, query, within, few, nr)
       ), hit AS MATERIALIZED (
         SELECT s.nr, t.card_id, t.created_at FROM shelf s CROSS JOIN LATERAL (
           SELECT card_id, created_at FROM board.card_text WHERE search_vector @@ s.within LIMIT s.few + 1) t
       ), full_shelf AS MATERIALIZED (
         SELECT s.* FROM shelf s
          WHERE s.project_id IS NOT NULL AND s.few < (SELECT count(*) FROM hit h WHERE h.nr = s.nr)
       ), candidate AS (
         SELECT nr, card_id, created_at FROM hit WHERE nr NOT IN (SELECT nr FROM full_shelf)
         UNION ALL
         SELECT s.nr, t.card_id, t.created_at FROM full_shelf s CROSS JOIN LATERAL (
           -- In a form that the index of words does not know: so many lie close together in the order of age.
           SELECT card_id, created_at FROM board.card_text x
            WHERE x.project_id = s.project_id AND x.language = s.language
              AND coalesce(x.search_vector @@ s.query, false)
            ORDER BY x.created_at DESC LIMIT ${newest}) t
       ), numbered AS MATERIALIZED (
         SELECT nr, card_id, created_at, row_number() OVER (ORDER BY created_at DESC, card_id DESC) AS recency
           FROM candidate WHERE card_id <> ALL($5::uuid[])
       ), ranked AS (
         SELECT n.card_id, n.created_at, CASE WHEN n.recency <= ${RANKED} THEN (
                  SELECT ts_rank_cd(t.search_vector, (SELECT query FROM shelf WHERE nr = n.nr))
                    FROM board.card_text t WHERE t.card_id = n.card_id) END AS rank
           FROM numbered n
       )
       SELECT card_id AS id FROM ranked ORDER BY rank DESC NULLS LAST, created_at DESC, card_id DESC
       OFFSET $6 LIMIT $7`,
      [
        looks.map((look) => look.projectId),
        looks.map((look) => look.language),
        looks.map((look) => look.query),
        looks.map((look) => look.within),
        without,
        offset,
        limit,
        looks.map((look) => look.few),
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** In the order of `ids`. */
  private read(ids: readonly string[], shelves: readonly Shelf[], { text }: SearchQuery): Promise<Row[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const configuration = 'board.search_configuration(t.language)';
    const query = `coalesce(s.query::tsquery, ''::tsquery)`;
    return this.database.query<Row>(
      `SELECT c.project_id AS "projectId", c.number, c.title, c.completed_at IS NOT NULL AS finished,
              ${headline({ configuration, text: 'c.title', query, options: '$5' })} AS "titleMarked",
              ${headline({ configuration, text: 'b.body', query, options: '$6', places: '$7' })} AS marked,
              left(b.body, 200) AS beginning
         FROM unnest($1::uuid[]) WITH ORDINALITY AS u (id, place)
         JOIN board.card c ON c.id = u.id
         JOIN board.card_text t ON t.card_id = c.id
         CROSS JOIN LATERAL (SELECT coalesce((SELECT body FROM board.card_body WHERE card_id = c.id), '') AS body) b
         LEFT JOIN unnest($2::uuid[], $3::text[], $4::text[]) AS s (project_id, language, query)
           ON s.project_id = c.project_id AND s.language = t.language
        ORDER BY u.place`,
      [
        ids,
        shelves.map((shelf) => shelf.projectId),
        shelves.map((shelf) => shelf.language),
        shelves.map((shelf) => shelf.query),
        TITLE_OPTIONS,
        HEADLINE_OPTIONS,
        placesOf(soughtWords(text)),
      ],
    );
  }
}

/** One look into the index of words. */
interface Look {
  /** Null looks into several small projects, whose cards are few whatever the words are. */
  readonly projectId: string | null;
  readonly language: string;
  readonly query: string;
  /** The words and the shelves. */
  readonly within: string;
  readonly few: number;
}

/** Small projects together, a look each language, since each look costs as much as the word has cards anywhere; large ones alone. */
function looksInto(shelves: readonly Shelf[]): Look[] {
  const together = new Map<string, Shelf[]>();
  const alone: Shelf[] = [];
  let cards = 0;
  for (const shelf of [...shelves].sort((a, b) => a.cards - b.cards)) {
    cards += shelf.cards;
    if (cards > FEW) alone.push(shelf);
    else together.set(shelf.language, [...(together.get(shelf.language) ?? []), shelf]);
  }
  const few = Math.max(FEWEST, Math.floor(FEW / Math.max(alone.length, 1)));
  return [
    ...[...together.values()].map((some) => lookInto(some, null, FEW)),
    ...alone.map((shelf) => lookInto([shelf], shelf.projectId, few)),
  ];
}

function lookInto(shelves: readonly Shelf[], projectId: string | null, few: number): Look {
  const { language, query } = shelves[0]!;
  const within = `(${query}) & (${shelves.map(({ scope }) => scope).join(' | ')})`;
  return { projectId, language, query, within, few };
}

function resultOf(row: Row, named: SearchResult['named']): SearchResult {
  const { projectId, number, title, titleMarked, marked, beginning, finished } = row;
  return {
    kind: 'card',
    projectId,
    title,
    titleMarked: markedHtml({ marked: titleMarked }) ?? '',
    url: `/projects/${projectId}/board?card=${number}`,
    snippet: markedHtml({ marked: withoutMarkdown(marked), beginning: withoutMarkdown(beginning) }),
    number,
    status: null,
    finished,
    archived: false,
    named,
  };
}

/** Texts of cards are Markdown; in a line of plain text its commonest signs only stand in the way. */
function withoutMarkdown(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/gu, '$1')
    .replace(/(^|\n)\s*(?:#{1,6}|[-*>])\s+/gu, '$1')
    .replace(/\*\*|`/gu, '');
}
