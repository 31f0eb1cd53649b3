import { TestDatabase } from '../../../test/support/test-database.js';
import { ArchiveDocument } from '../application/commands/archive-document.js';
import { PublishDocument } from '../application/commands/publish-document.js';
import { SetDocumentSeries } from '../application/commands/set-document-series.js';
import { SetDocumentTags } from '../application/commands/set-document-tags.js';
import { SubmitVerdict } from '../application/commands/submit-verdict.js';
import { UnarchiveDocument } from '../application/commands/unarchive-document.js';
import { DocumentErasure } from '../application/ports/document-erasure.js';
import { DocumentsRig } from '../testing/documents-rig.js';

describe('counts that are kept beside the documents', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ pool: 10 });
    rig = await DocumentsRig.start(postgres.database);
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });

  /** Counts that differ from the rows they count. */
  const wrong = () =>
    rig.database.query(
      `SELECT 'documents' AS what, coalesce(c.documents, 0) AS kept, coalesce(d.n, 0) AS true_count
       FROM documents.document_count c FULL JOIN (
         SELECT project_id, status, archived_at IS NOT NULL AS archived, count(*) AS n FROM documents.document GROUP BY 1, 2, 3
       ) AS d USING (project_id, status, archived)
       WHERE coalesce(c.documents, 0) <> coalesce(d.n, 0)
       UNION ALL
       SELECT 'tag', t.document_count, count(dt.tag_id) FROM documents.tag t
       LEFT JOIN documents.document_tag dt ON dt.tag_id = t.id
       GROUP BY t.id HAVING t.document_count <> count(dt.tag_id)
       UNION ALL
       SELECT 'series', s.document_count, count(d.id) FROM documents.series s
       LEFT JOIN documents.document d ON d.series_id = s.id
       GROUP BY s.id HAVING s.document_count <> count(d.id)`,
    );

  test('they stay true through everything that moves a document, also when many move at once', async () => {
    const { projectId } = rig;
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        rig.create({
          draft: n % 2 === 0,
          tags: ['a', 'b', `t${n % 3}`],
          series: `S${n % 2}`,
          seriesOrdinal: n + 1,
        }),
      ),
    );
    await Promise.all(
      made.map(async ({ documentId }, n) => {
        const on = { projectId, documentId };
        await rig.get(PublishDocument).execute(rig.agent, on);
        await rig.get(SetDocumentTags).execute(rig.agent, { ...on, tags: ['b', `t${(n + 1) % 3}`, 'c'] });
        await rig
          .get(SetDocumentSeries)
          .execute(rig.agent, n % 3 ? on : { ...on, series: 'S2', seriesOrdinal: n + 1 });
        await rig.get(SubmitVerdict).execute(rig.owner, { ...on, version: 1, verdict: 'approved' });
        await rig.revise(documentId, { markdown: `Text ${n}.` });
        if (n % 4 === 0) await rig.get(ArchiveDocument).execute(rig.agent, { ...on, reason: 'Over.' });
        if (n % 8 === 0) await rig.get(UnarchiveDocument).execute(rig.agent, on);
      }),
    );
    expect(await wrong()).toEqual([]);
    expect(
      await rig.database.query(
        'SELECT status, archived, documents FROM documents.document_count WHERE project_id = $1 AND documents > 0 ORDER BY 1, 2',
        [projectId],
      ),
    ).toEqual([
      { status: 'in-review', archived: false, documents: 11 },
      { status: 'in-review', archived: true, documents: 1 },
    ]);
  });

  test('nothing of a purged project is left in them', async () => {
    await rig.database.run(() => rig.get(DocumentErasure).purgeProject(rig.projectId));
    expect(await wrong()).toEqual([]);
    expect(await rig.database.query('SELECT 1 FROM documents.document_count')).toEqual([]);
  });
});
