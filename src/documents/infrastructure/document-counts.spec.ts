import { TestDatabase } from '../../../test/support/test-database.js';
import { ArchiveDocument } from '../application/commands/archive-document.js';
import { DeleteThread } from '../application/commands/delete-thread.js';
import { MarkCommentsAddressed } from '../application/commands/mark-comments-addressed.js';
import { PublishDocument } from '../application/commands/publish-document.js';
import { ReopenThread } from '../application/commands/reopen-thread.js';
import { ResolveThread } from '../application/commands/resolve-thread.js';
import { RestoreThread } from '../application/commands/restore-thread.js';
import { SetDocumentSeries } from '../application/commands/set-document-series.js';
import { SetDocumentTags } from '../application/commands/set-document-tags.js';
import { SubmitVerdict } from '../application/commands/submit-verdict.js';
import { UnarchiveDocument } from '../application/commands/unarchive-document.js';
import { DocumentErasure } from '../application/ports/document-erasure.js';
import { ListDocumentsPage } from '../application/queries/list-documents-page.js';
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

  test('documents 9.1: the list says how many documents of the whole project wait for their reader, and shows them alone', async () => {
    const { projectId } = rig;
    const list = (more = {}) => rig.get(ListDocumentsPage).execute(rig.owner, { projectId, ...more });
    const waiting = async () => (await list({ status: 'draft' })).waitingDocuments;
    expect(await waiting()).toBe(0);
    const first = await rig.create({ title: 'First waits' });
    const second = await rig.create({ title: 'Second waits' });
    const on = (documentId: string, commentId: string) => ({ projectId, documentId, commentId });
    const acted = await rig.comment(first.documentId, 'First paragraph');
    const also = await rig.comment(first.documentId, 'Second paragraph');
    await rig.comment(second.documentId, 'First paragraph');
    expect(await waiting()).toBe(0);

    await rig.get(MarkCommentsAddressed).execute(rig.agent, { projectId, commentIds: [acted, also] });
    expect(await waiting()).toBe(1);
    // The words go: the thread of the second one is lost, those of the first are carried.
    await rig.revise(second.documentId, { markdown: 'Nothing of it is left here.' });
    await rig.revise(first.documentId, {
      markdown: 'First paragraph of the plan.\n\nSecond paragraph.\n\nMore.',
    });
    expect(await waiting()).toBe(2);
    const shown = await list({ waiting: true });
    expect([shown.total, shown.documents.map(({ title }) => title).sort()]).toEqual([
      2,
      ['First waits', 'Second waits'],
    ]);
    expect((await list({ waiting: true, q: 'paragraph' })).documents.map(({ title }) => title)).toEqual([
      'First waits',
    ]);

    const threads = async (id: string) => (await rig.page(id)).threads.map((thread) => thread.id);
    for (const id of await threads(first.documentId)) {
      await rig.get(ResolveThread).execute(rig.owner, on(first.documentId, id));
    }
    expect(await waiting()).toBe(1);
    const [lost] = await threads(second.documentId);
    await rig.get(DeleteThread).execute(rig.owner, on(second.documentId, lost!));
    expect(await waiting()).toBe(0);
    await rig.get(RestoreThread).execute(rig.owner, on(second.documentId, lost!));
    expect(await waiting()).toBe(1);
    await rig.get(ResolveThread).execute(rig.owner, on(second.documentId, lost!));
    expect(await waiting()).toBe(0);
    await rig.get(ReopenThread).execute(rig.owner, on(second.documentId, lost!));
    expect(await waiting()).toBe(1);
    await rig.get(ArchiveDocument).execute(rig.owner, { projectId, documentId: second.documentId });
    expect(await waiting()).toBe(0);
    expect((await list({ waiting: true, archived: true })).total).toBe(1);
    expect(await kept()).toEqual(await computed());
  });

  /** Threads that are kept as waiting, and those that are. */
  const kept = () =>
    rig.database.query('SELECT comment_id AS id FROM documents.waiting_thread ORDER BY comment_id');
  const computed = () =>
    rig.database.query(
      `SELECT c.id FROM documents.comment c JOIN documents.document_version v ON v.id = c.document_version_id
       JOIN documents.document d ON d.id = v.document_id AND d.current_version = v.number
       WHERE c.parent_id IS NULL AND c.deleted_at IS NULL AND c.status <> 'resolved'
         AND (c.status = 'addressed' OR c.orphaned) ORDER BY c.id`,
    );

  test('nothing of a purged project is left in them', async () => {
    await rig.database.run(() => rig.get(DocumentErasure).purgeProject(rig.projectId));
    expect(await wrong()).toEqual([]);
    expect(await rig.database.query('SELECT 1 FROM documents.document_count')).toEqual([]);
    expect(await kept()).toEqual([]);
  });
});
