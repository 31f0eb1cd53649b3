import { TestDatabase } from '../../../test/support/test-database.js';
import { ListDocuments } from '../application/queries/list-documents.js';
import { DocumentsRig } from '../testing/documents-rig.js';

describe('documents 15.62: a project of many documents', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await DocumentsRig.start(postgres.database);
    // A tenth of the scenario keeps the suite quick; the plan is the same from here on.
    await postgres.database.query(
      `INSERT INTO documents.document
         (id, project_id, title, status, language, current_version, origin, created_at, content_updated_at, search_vector)
       SELECT gen_random_uuid(), $1, 'Document ' || n, 'in-review', l, 1, 'agent', now(), now() - n * interval '1 minute',
              to_tsvector(l::regconfig, 'common words of document ' || n || ' ' || md5(n::text))
       FROM generate_series(1, 5000) AS n, LATERAL (SELECT (ARRAY['english', 'french', 'german'])[n % 3 + 1] AS l) AS x`,
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

  test('a search goes through the index of the vectors', async () => {
    const spy = jest.spyOn(postgres.database, 'query');
    const word = (await postgres.database.one<{ word: string }>("SELECT md5('77') AS word"))!.word;
    const found = await rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, search: word });
    expect(found).toMatchObject({ total: 1, documents: [{ title: 'Document 77' }] });
    const [sql, parameters] = spy.mock.calls.find(([text]) => text.includes('websearch_to_tsquery'))!;
    spy.mockRestore();
    const plan = await postgres.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('Bitmap Index Scan on document_search');
    expect(lines).not.toContain('Seq Scan on document d');
  });
});
