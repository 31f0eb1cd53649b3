import { Document, type DocumentStatus } from './document.js';

const AT = new Date('2026-01-05T09:00:00.000Z');

function document(status: DocumentStatus = 'in-review', version = 3): Document {
  const made = Document.create({
    id: 'd',
    projectId: 'p',
    title: 'Title',
    draft: true,
    language: 'english',
    origin: 'agent',
    createdByUserId: null,
    at: AT,
  });
  return Document.restore({ ...made.state, status, currentVersion: version });
}

describe('the states of a document', () => {
  test.each(['in-review', 'approved', 'changes-requested'] as const)(
    'a revision of one that is %s asks for a review',
    (status) => {
      const d = document(status);
      expect(d.revise('agent', AT, null, null)).toBe(4);
      expect(d.status).toBe('in-review');
    },
  );

  test('a revision of a draft stays out of review', () => {
    const d = document('draft');
    d.revise('person', AT, 'New title', 3);
    expect(d.state).toMatchObject({
      status: 'draft',
      title: 'New title',
      currentVersion: 4,
      contentUpdatedAt: AT,
    });
  });

  test.each(['draft', 'in-review', 'approved', 'changes-requested'] as const)(
    'one that is %s takes a verdict',
    (status) => {
      const d = document(status);
      d.judge('approved', 3);
      expect(d.status).toBe('approved');
    },
  );

  test('publishing moves a draft alone', () => {
    expect(document('draft').publish('agent')).toBe(true);
    expect(document('approved').publish('agent')).toBe(false);
  });

  test('an archived document is not worked on, but renamed and brought back', () => {
    const d = document();
    expect(d.archive('first', AT)).toBe(true);
    expect(d.archive('second', AT)).toBe(false);
    expect(d.state.archiveReason).toBe('first');
    for (const work of [
      () => d.revise('agent', AT, null, null),
      () => d.publish('person'),
      () => d.judge('approved', 3),
      () => d.reopenReview(),
    ])
      expect(work).toThrow(expect.objectContaining({ code: 'archived' }));
    expect(d.rename('Other')).toBe(true);
    expect(d.rename('Other')).toBe(false);
    expect(d.unarchive()).toBe(true);
    expect(d.unarchive()).toBe(false);
    expect(d.state).toMatchObject({ archiveReason: null, archivedAt: null, status: 'in-review' });
  });

  test('a verdict or a revision on a version that is not the newest is refused', () => {
    expect(() => document().judge('approved', 2)).toThrow(expect.objectContaining({ code: 'stale_version' }));
    expect(() => document().revise('agent', AT, null, 2)).toThrow(
      expect.objectContaining({
        code: 'stale',
        message: 'The document is at version 3. Read it again before you revise.',
      }),
    );
  });
});
