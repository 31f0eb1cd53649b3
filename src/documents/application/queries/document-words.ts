import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { beginningOf, titleIs, wordsQuery } from '#libs/persistence/search-words.js';
import { Languages } from '../languages.js';

/** What is looked for, as in a search of the web. */
export interface SoughtWords {
  readonly text: string;
  /** The last word, also looked for as a beginning, and what stands before it. */
  readonly begun?: { readonly before: string; readonly word: string } | null;
}

/**
 * Matches of a search that are ranked, the newest ones; the others follow by recency. Ranking reads the words of a
 * document, so a word that stands in all of them would read all.
 */
const RANKED = 500;

/**
 * Documents with the words of a phrase, the newest ones, in which a search looks whether they stand together: the
 * index knows words, and not their places, so this reads every vector.
 */
export const PHRASE_CHECKS = 6_000;

/** The words of a search as one language reads them. */
export interface Branch {
  readonly language: string;
  readonly configuration: string;
  /** The words must stand together, here or there. */
  readonly phrase: boolean;
}

/** Between words that stand together, in the text of a query: `<->`, or `<2>` where a word without meaning was left out. */
const TOGETHER = '<(-|[0-9]+)>';

/** How the words of a search are read, in each language of the documents that it looks at. */
@Injectable()
export class DocumentWords {
  constructor(
    private readonly database: Database,
    private readonly languages: Languages,
  ) {}

  /**
   * The languages of the documents of these projects. The same statement turns scans of whole tables off until the
   * transaction ends: the planner does not know that a vector lies apart from its row, and would read them all for
   * frequent words.
   */
  async branches(projectIds: readonly string[], search: string): Promise<readonly Branch[]> {
    const installed = await this.languages.installed();
    return this.database.query<Branch>(
      `WITH languages AS (
         SELECT DISTINCT used.language FROM unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
           WITH RECURSIVE used AS (
             (SELECT language FROM documents.document WHERE project_id = project.id ORDER BY language LIMIT 1)
             UNION ALL
             SELECT (SELECT d.language FROM documents.document d
                     WHERE d.project_id = project.id AND d.language > used.language ORDER BY d.language LIMIT 1)
             FROM used WHERE used.language IS NOT NULL
           ) SELECT language FROM used WHERE language IS NOT NULL
         ) AS used
       ), read_as AS (
         SELECT language, CASE WHEN language = ANY($2::text[]) THEN language ELSE 'simple' END AS configuration
         FROM languages
       )
       SELECT language, configuration, set_config('enable_seqscan', 'off', true),
              websearch_to_tsquery(configuration::regconfig, $3)::text ~ '${TOGETHER}' AS phrase
       FROM read_as ORDER BY language`,
      [projectIds, installed, search],
    );
  }
}

/** Statements of a search. */
export interface SoughtStatements {
  /** One for each branch; `loose` takes the words of phrases wherever they stand, and leaves exclusions out. */
  readonly words: readonly string[];
  /** Documents `d` whose whole title is what was typed. */
  readonly titled: string;
}

/** The statements of a search in these projects, for `found`. */
export function queriesOf(
  branches: readonly Branch[],
  search: SoughtWords,
  projectIds: readonly string[],
  p: Parameters,
): SoughtStatements {
  const projects = p.add(projectIds);
  const text = p.add(search.text);
  const begun = search.begun
    ? {
        word: p.add(search.begun.word),
        before: p.add(search.begun.before),
        beginning: p.add(beginningOf(search.begun.word)),
      }
    : null;
  const words = branches.map(({ language, configuration, phrase }) => {
    const scope = `(SELECT string_agg(quote_literal(documents.search_scope(id, ${p.add(language)})), ' | ')::tsquery
                    FROM unnest(${projects}::uuid[]) AS project (id))`;
    const loose = `CASE querytree(w.words) WHEN 'T' THEN s.scope
      ELSE regexp_replace(querytree(w.words), '${TOGETHER}', '&', 'g')::tsquery && s.scope END`;
    const words = wordsQuery({ configuration: `${p.add(configuration)}::text::regconfig`, text, begun });
    return `SELECT w.words, w.words && s.scope AS within, ${phrase ? loose : 'w.words && s.scope'} AS loose
            FROM (SELECT ${words} AS words) AS w CROSS JOIN (SELECT ${scope} AS scope) AS s
            WHERE numnode(w.words) > 0`;
  });
  const branch = branches.map(({ language }, index) => `WHEN ${p.add(language)} THEN ${index}`);
  const titled = `SELECT d.id, d.content_updated_at, d.series_ordinal, CASE d.language ${branch.join(' ')} END AS branch
    FROM documents.document d
    WHERE d.project_id = ANY(${projects}::uuid[]) AND ${titleIs('d.title', search.text, p)}`;
  return { words, titled };
}

/** Rank of a document whose whole title was typed. */
export const TITLED = `'Infinity'::real`;

/**
 * Tables `matching` (id, times, place in a series, number of the branch, rank) and, for phrases, `candidates`: one
 * branch a language, each through the index of the vectors. Whose whole title was typed ranks before all.
 */
export function found(
  { words: statements, titled }: SoughtStatements,
  conditions: readonly string[],
  phrase: boolean,
): string {
  const queries = statements.map((statement, index) => `query_${index} AS MATERIALIZED (${statement})`);
  // OFFSET 0 keeps the other conditions apart: none of their indexes knows words.
  const matches = statements.map(
    (_, index) =>
      `SELECT d.id, d.content_updated_at, d.series_ordinal, ${index} AS branch
       FROM (
         SELECT id, content_updated_at, series_id, series_ordinal, status, archived_at, current_version FROM documents.document
         WHERE search_vector @@ (SELECT ${phrase ? 'loose' : 'within'} FROM query_${index}) OFFSET 0
       ) AS d WHERE ${['d.id NOT IN (SELECT id FROM titled)', ...conditions].join(' AND ')}`,
  );
  const words = (branch: string) => wordsOfBranch(statements, branch);
  const hits = phrase
    ? `candidates AS MATERIALIZED (${matches.join(' UNION ALL ')}), hits AS MATERIALIZED (
         SELECT c.* FROM (
           SELECT * FROM candidates ORDER BY content_updated_at DESC, id LIMIT ${PHRASE_CHECKS}
         ) AS c
         CROSS JOIN LATERAL (SELECT search_vector FROM documents.document WHERE id = c.id OFFSET 0) AS v
         WHERE v.search_vector @@ ${words('c.branch')}
       )`
    : `hits AS MATERIALIZED (${matches.join(' UNION ALL ')})`;
  return `${queries.join(', ')}, titled AS MATERIALIZED (${[titled, ...conditions].join(' AND ')}), ${hits},
    numbered AS (
      SELECT hits.*, row_number() OVER (ORDER BY content_updated_at DESC, id) AS recency FROM hits
    ), matching AS MATERIALIZED (
      SELECT n.id, n.content_updated_at, n.series_ordinal, n.branch,
             CASE WHEN n.recency <= ${RANKED} THEN (
               SELECT ts_rank_cd(d.search_vector, ${words('n.branch')})
               FROM documents.document d WHERE d.id = n.id
             ) END AS rank
      FROM numbered n
      UNION ALL SELECT id, content_updated_at, series_ordinal, branch, ${TITLED} FROM titled
    )`;
}

/** SQL of the query that a branch asks, after `found`; empty where its language reads no word. */
export function wordsOfBranch(statements: readonly string[], branch: string): string {
  const cases = statements.map((_, index) => `WHEN ${index} THEN (SELECT words FROM query_${index})`);
  return `coalesce(CASE ${branch} ${cases.join(' ')} END, ''::tsquery)`;
}
