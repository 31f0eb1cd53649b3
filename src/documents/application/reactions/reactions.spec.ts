import type { DomainEvent } from '#libs/kernel/domain-event.js';
import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentCounters } from '../../infrastructure/document-counters.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { ArchiveDocument } from '../commands/archive-document.js';
import { MarkDocumentRead } from '../commands/mark-document-read.js';
import { ReplyToComment } from '../commands/reply-to-comment.js';
import { SaveDecisionAnswer } from '../commands/save-decision-answer.js';
import { SetSectionApproval } from '../commands/set-section-approval.js';
import { SubmitVerdict } from '../commands/submit-verdict.js';
import { WithdrawVerdict } from '../commands/withdraw-verdict.js';
import { WhenPersonDeleted } from './when-person-deleted.js';
import { WhenProjectDeleted } from './when-project-deleted.js';

const MARKDOWN =
  '## Part\n\nSome words.\n\n<!-- decision: d -->\n\nWhich?\n\n- A\n- B\n\n<!-- /decision -->\n';

describe('what documents hear of others', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
  });
  afterEach(() => rig.stop());

  const event = (type: string, part: Partial<DomainEvent>): DomainEvent => ({
    id: rig.ids.next(),
    type,
    version: 1,
    aggregateId: rig.ids.next(),
    projectId: null,
    personId: null,
    actor: { kind: 'system', id: null },
    payload: {},
    occurredAt: rig.clock.now(),
    ...part,
  });

  /** A document in which the owner did everything that a person can do. */
  async function worked(): Promise<{ documentId: string; verdictId: string }> {
    const { documentId } = await rig.create({
      markdown: MARKDOWN,
      tags: ['t'],
      series: 'S',
      seriesOrdinal: 1,
      references: [(await rig.create({ title: 'Other' })).documentId],
    });
    const on = { projectId: rig.projectId, documentId, version: 1 };
    const commentId = await rig.comment(documentId, 'Some words');
    await rig.get(ReplyToComment).execute(rig.owner, { ...on, commentId, body: 'Mine.' });
    await rig
      .get(SaveDecisionAnswer)
      .execute(rig.owner, { ...on, decisionId: 'd', indexes: [0], labels: ['A'] });
    await rig
      .get(SetSectionApproval)
      .execute(rig.owner, { ...on, headingId: 'heading-part', approved: true });
    await rig.get(MarkDocumentRead).execute(rig.owner, on);
    const { id: verdictId } = await rig.get(SubmitVerdict).execute(rig.owner, { ...on, verdict: 'approved' });
    return { documentId, verdictId };
  }

  test('a deleted project takes everything along, however often the event comes', async () => {
    await worked();
    const handle = () =>
      rig.database.run(() =>
        rig.get(WhenProjectDeleted).handle(event('ProjectDeleted', { projectId: rig.projectId })),
      );
    await handle();
    await handle();
    const rows = await rig.database.query<{ name: string; n: number }>(
      `SELECT 'document' AS name, count(*)::int AS n FROM documents.document WHERE project_id = $1
       UNION ALL SELECT 'tag', count(*)::int FROM documents.tag WHERE project_id = $1
       UNION ALL SELECT 'series', count(*)::int FROM documents.series WHERE project_id = $1
       UNION ALL SELECT 'comment', count(*)::int FROM documents.comment
       UNION ALL SELECT 'verdict', count(*)::int FROM documents.verdict
       UNION ALL SELECT 'answer', count(*)::int FROM documents.decision_answer
       UNION ALL SELECT 'mark', count(*)::int FROM documents.reader_mark`,
      [rig.projectId],
    );
    expect(rows.filter((row) => row.n > 0)).toEqual([]);
  });

  test('what a deleted person wrote stays without a name, and the section approvals no longer count', async () => {
    const { documentId, verdictId } = await worked();
    await rig.database.run(() =>
      rig.get(WhenPersonDeleted).handle(event('PersonDeleted', { personId: rig.owner.personId })),
    );
    rig.people.known.delete(rig.owner.personId);
    const nobody = { kind: 'person', personId: null, name: 'Deleted person' };
    const page = await rig.page(documentId);
    expect(page).toMatchObject({
      threads: [{ author: nobody, replies: [{ author: nobody }] }],
      verdict: { reviewer: { personId: null, name: 'Deleted person' }, yours: false },
      decisions: [{ updatedBy: 'Deleted person', selections: [{ label: 'A' }] }],
      sections: [{ approvals: 0 }],
      lastSeenVersion: null,
    });
    const withdraw = rig
      .get(WithdrawVerdict)
      .execute(rig.member, { projectId: rig.projectId, documentId, verdictId });
    expect(await refusalOf(withdraw)).toBe('Only the person who gave a verdict may withdraw it.');
  });

  test('the tile of a project counts the documents that wait for a verdict', async () => {
    const counters = rig.get(DocumentCounters);
    const old = await rig.create();
    rig.clock.advance(60_000);
    await rig.create({ draft: true });
    await rig.create();
    await rig
      .get(ArchiveDocument)
      .execute(rig.owner, { projectId: rig.projectId, documentId: old.documentId });
    expect(await counters.counts([rig.projectId, rig.otherProjectId])).toEqual(new Map([[rig.projectId, 1]]));
    expect(await counters.lastActivity([rig.projectId])).toEqual(new Map([[rig.projectId, rig.clock.now()]]));
    expect([...rig.listeners.kept.keys()]).toEqual([
      'documents-when-project-deleted',
      'documents-when-person-deleted',
      'documents-when-card-deleted',
    ]);
  });
});
