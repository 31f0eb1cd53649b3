import { readSearchQuery } from '#src/platform/domain/search-query.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { CreateDocument } from '../application/commands/create-document.js';
import { ListDocuments } from '../application/queries/list-documents.js';
import { DocumentsRig } from '../testing/documents-rig.js';
import { DocumentsSearch } from './documents-search.js';

/** A part of the scenario keeps the suite quick; the plan is the same from here on. */
const DOCUMENTS = 6_600;

describe('documents 15.62: a project of many documents', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await DocumentsRig.start(postgres.database);
    await postgres.database.query(
      `INSERT INTO documents.document
         (id, project_id, title, status, language, current_version, origin, created_at, content_updated_at, search_vector)
       SELECT gen_random_uuid(), $1, 'Document ' || n, 'in-review', l, 1, 'agent', now(), now() - n * interval '1 minute',
              to_tsvector(l::regconfig, 'common words of document ' || n || ' ' || md5(n::text))
                || array_to_tsvector(ARRAY[documents.search_scope($1, l)])
       FROM generate_series(1, ${DOCUMENTS}) AS n, LATERAL (SELECT (ARRAY['english', 'french', 'german'])[n % 3 + 1] AS l) AS x`,
      [rig.projectId],
    );
    await postgres.database.query(
      `INSERT INTO documents.document_version
         (id, document_id, number, author_kind, content_hash, renderer_version, carried, orphaned, sections_carried,
          sections_dropped, created_at, markdown, rendered_html, plain_text, outline, sections, decisions, warnings)
       SELECT gen_random_uuid(), id, 1, 'agent', '', '1', 0, 0, 0, 0, now(), 'x', 'x', 'x', '[]', '[]', '[]', '[]'
       FROM documents.document`,
    );
    await postgres.database.query('ANALYZE documents.document, documents.document_version');
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });

  test.each([
    ['a rare word', "SELECT md5('77') AS words", 1],
    ['words that all documents have', "SELECT 'common words' AS words", DOCUMENTS],
    ['an exclusion', "SELECT '-nothing' AS words", DOCUMENTS],
    ['a phrase', `SELECT '"of document 4711"' AS words`, 1],
    ['a phrase left out', `SELECT 'common -"document 4711"' AS words`, 5_999],
  ])('a search for %s goes through the index of the vectors in every branch', async (_, words, total) => {
    const { words: search } = (await postgres.database.one<{ words: string }>(words))!;
    const spy = jest.spyOn(postgres.database, 'query');
    const found = await rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, search });
    const [sql, parameters] = spy.mock.calls.find(([text]) => text.includes('query_0'))!;
    spy.mockRestore();
    expect(found.total).toBe(total);
    const lines = await postgres.database.snapshot(async () => {
      await postgres.database.query('SET LOCAL enable_seqscan = off');
      const plan = await postgres.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
      return plan.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(lines.match(/Bitmap Index Scan on document_search/g)).toHaveLength(3);
    expect(lines).toContain('document_whole_title');
    expect(lines).not.toMatch(/Seq Scan on document\b(?!_version)/);
  });

  test('a phrase of words that all have is looked for in the newest 6,000, and the answer says so', async () => {
    const list = (search: string, more = {}) =>
      rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, search, ...more });
    const note =
      'The phrase was looked for in the newest 6,000 of 6,600 documents that hold its words. To reach older ones, add a word or a filter.';
    expect(await list('"common words"')).toMatchObject({ total: 6_000, note });
    expect(await list('"words common"')).toMatchObject({ documents: [], total: 0, note });
    expect((await list('"common words"', { page: 1 })).documents[0]!.title).toBe('Document 1');
    // Another word or a filter brings the oldest into reach.
    const oldest = await list('"common words" 6600');
    expect([oldest.total, oldest.note, oldest.documents[0]!.title]).toEqual([1, undefined, 'Document 6600']);
    expect(await list('"common words"', { status: 'approved' })).toEqual(
      expect.not.objectContaining({ note: expect.anything() }),
    );
    expect(await list('common words')).toEqual(expect.not.objectContaining({ note: expect.anything() }));
  });

  test('a document of exactly that title comes first, though all others are newer and hold its words', async () => {
    const { documentId } = await rig.create({ title: 'Common words of document', markdown: 'Old.' });
    await postgres.database.query(
      "UPDATE documents.document SET content_updated_at = '2020-01-01' WHERE id = $1",
      [documentId],
    );
    try {
      const list = (search: string, more = {}) =>
        rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, search, ...more });
      for (const [search, total] of [
        ['common words of document', DOCUMENTS + 1],
        // As a phrase it lies behind the newest 6,000.
        ['"COMMON words of document"', 6_001],
      ] as const) {
        const first = await list(search);
        expect([first.total, first.documents[0]!.documentId]).toEqual([total, documentId]);
        const second = await list(search, { page: 2 });
        expect(second.documents.map((document) => document.documentId)).not.toContain(documentId);
        const { results } = await rig
          .get(DocumentsSearch)
          .search([rig.projectId], readSearchQuery(search), 1);
        expect(results.map(({ named }) => named)).toEqual([
          'title',
          ...Array.from({ length: 9 }, () => null),
        ]);
      }
      expect((await list('common words of document', { status: 'approved' })).documents).toEqual([]);
    } finally {
      await postgres.database.query('DELETE FROM documents.document WHERE id = $1', [documentId]);
    }
  });

  test('a title of words without meaning is found by all of it', async () => {
    const { documentId } = await rig.create({ title: 'To be or not to be', markdown: 'A question.' });
    try {
      const { results } = await rig
        .get(DocumentsSearch)
        .search([rig.projectId], readSearchQuery('to be or not to be'), 1);
      expect(results).toMatchObject([
        { title: 'To be or not to be', named: 'title', snippet: 'A question.' },
      ]);
    } finally {
      await postgres.database.query('DELETE FROM documents.document WHERE id = $1', [documentId]);
    }
  });

  test('the same words in another project are not found here', async () => {
    const elsewhere = { projectId: rig.otherProjectId, search: 'common' };
    const stranger = rig.connection(rig.stranger.personId, rig.otherProjectId);
    await rig
      .get(CreateDocument)
      .execute(stranger, { ...elsewhere, title: 'Theirs', markdown: 'A common word.' });
    expect((await rig.get(ListDocuments).execute(stranger, elsewhere)).documents).toMatchObject([
      { title: 'Theirs' },
    ]);
  });

  test('beyond the newest 500 matches the list goes on by recency, each document once', async () => {
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await rig
        .get(ListDocuments)
        .execute(rig.agent, { projectId: rig.projectId, search: '-nothing', page, perPage: 90 });
      seen.push(...answer.documents.map((document) => document.documentId));
      if (!answer.hasMore) break;
    }
    expect([seen.length, new Set(seen).size]).toEqual([DOCUMENTS, DOCUMENTS]);
  });
});
