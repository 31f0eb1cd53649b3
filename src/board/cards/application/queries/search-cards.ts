import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints } from '#libs/kernel/text.js';
import { readable } from '#libs/kernel/words.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { titleIs } from '#libs/persistence/search-words.js';
import type { Given } from '../../domain/card-texts.js';
import { SEARCH_CHARACTERS } from '../../domain/limits.js';
import { shortRow } from './answers-that-fit.js';
import { type CardSummary, SummaryReader } from './summary-reader.js';

export interface FoundCards {
  readonly cards: readonly CardSummary[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** How many of the newest matches are ranked; behind them come older ones by age, so that a search stays fast. */
const RANKED = 500;

/** Up to so many matches are found first and then put in order. */
const FEW = 12_000;

/**
 * Words of titles and texts, finished cards too: a card of that title first, then the best match, then the newest.
 * @throws InvalidInput `query`.
 */
@Injectable()
export class SearchCards {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly summaries: SummaryReader,
  ) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly query?: Given<string>;
      readonly page?: Given<number>;
      readonly perPage?: Given<number>;
    },
  ): Promise<FoundCards> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const words = readable((input.query ?? '').replaceAll('\0', ' ')).trim();
    const refuse = (sentence: string) => new InvalidInput([{ argument: 'query', sentence }]);
    if (words === '') throw refuse('must not be blank.');
    if (codePoints(words) > SEARCH_CHARACTERS) throw refuse(`at most ${SEARCH_CHARACTERS} characters.`);
    const page = clampPage(input.page ?? undefined, input.perPage ?? undefined, { defaultPerPage: 25 });
    const { ids, total } = await this.find(projectId, words, page);
    return {
      cards: (await this.summaries.summaries(projectId, ids)).map(shortRow),
      ...page,
      total,
      hasMore: page.page * page.perPage < total,
    };
  }

  private async find(
    projectId: string,
    words: string,
    { page, perPage }: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly ids: string[]; readonly total: number }> {
    const languages = await this.languages(projectId, words);
    const p = new Parameters();
    const project = p.add(projectId);
    const branches = languages.map(({ language, query }) => ({
      language: p.add(language),
      query: `${p.add(query)}::tsquery`,
    }));
    // Words without meaning in every language, such as "the" alone, match nothing but a title.
    const match =
      branches
        .map(({ language, query }) => `(t.language = ${language} AND t.search_vector @@ ${query})`)
        .join(' OR ') || 'false';
    const ranks = branches.map(
      ({ language, query }) => `WHEN t.language = ${language} THEN ts_rank_cd(t.search_vector, ${query})`,
    );
    const rank = ranks.length === 0 ? '0' : `CASE ${ranks.join(' ')} END`;
    const ofProject = `SELECT t.card_id, t.created_at FROM board.card_text t WHERE t.project_id = ${project}`;
    const titled = `${ofProject} AND ${titleIs('t.title', words, p)}`;
    const matching = `${ofProject} AND (${match}) AND t.card_id NOT IN (SELECT card_id FROM titled)`;
    const newest = 'ORDER BY created_at DESC, card_id DESC';
    const slice = `OFFSET ${p.add((page - 1) * perPage)} LIMIT ${p.add(perPage)}`;
    const answer = (found: string, counted: string, deep: boolean) =>
      this.database.query<{ id: string | null; matches: number; titled: number }>(
        `WITH titled AS MATERIALIZED (${titled}), ${found}, ranked AS (
           SELECT n.card_id, row_number() OVER (ORDER BY ${rank} DESC, n.created_at DESC, n.card_id DESC) AS place
             FROM newest n JOIN board.card_text t ON t.card_id = n.card_id
         ), ordered AS (
           SELECT card_id, row_number() OVER (${newest}) - (SELECT count(*) FROM titled) AS place FROM titled
           UNION ALL
           SELECT card_id, place FROM ranked
           ${
             deep
               ? `UNION ALL (SELECT card_id, ${RANKED} + row_number() OVER (${newest}) FROM (
                    SELECT * FROM matching ${newest} OFFSET ${RANKED}) older)`
               : ''
           }
         )
         SELECT o.card_id AS id, (${counted}) AS matches, (SELECT count(*)::int FROM titled) AS titled
           FROM (SELECT 1) one LEFT JOIN LATERAL (
             SELECT card_id, place FROM ordered ORDER BY place ${slice}) o ON true
          ORDER BY o.place`,
        p.values,
      );
    const deep = page * perPage > RANKED;
    // Few matches come from the index of words, once. Of many, the newest lie close together in the index of ages.
    const few = await answer(
      `matching AS MATERIALIZED (${matching} LIMIT ${FEW + 1}), newest AS (
         SELECT * FROM matching WHERE (SELECT count(*) FROM matching) <= ${FEW} ${newest} LIMIT ${RANKED})`,
      'SELECT count(*)::int FROM matching',
      deep,
    );
    const rows =
      (few[0]?.matches ?? 0) <= FEW
        ? few
        : await answer(
            `matching AS NOT MATERIALIZED (${matching}), newest AS (SELECT * FROM matching ${newest} LIMIT ${RANKED})`,
            'SELECT count(*)::int FROM matching',
            deep,
          );
    return {
      ids: rows.flatMap((row) => (row.id === null ? [] : [row.id])),
      total: (rows[0]?.matches ?? 0) + (rows[0]?.titled ?? 0),
    };
  }

  /**
   * The languages that cards of the project are written in, and the words as each of them reads them; none where all
   * are left out. The search takes them as constants: as a function they would be read anew for every card it looks at.
   */
  private async languages(projectId: string, words: string) {
    const read = await this.database.query<{ language: string; query: string }>(
      `WITH RECURSIVE used AS (
         (SELECT language FROM board.card_text WHERE project_id = $1 ORDER BY language LIMIT 1)
         UNION ALL
         SELECT (SELECT t.language FROM board.card_text t
                  WHERE t.project_id = $1 AND t.language > used.language ORDER BY t.language LIMIT 1)
           FROM used WHERE used.language IS NOT NULL
       ) SELECT language, websearch_to_tsquery(board.search_configuration(language), $2)::text AS query
           FROM used WHERE language IS NOT NULL`,
      [projectId, words],
    );
    return read.filter(({ query }) => query !== '');
  }
}
