import { Thread, type ThreadStatus } from './thread.js';

const AT = new Date('2026-01-05T09:00:00.000Z');
const LATER = new Date('2026-01-05T09:20:00.000Z');

function thread(part: Partial<Thread['state']> = {}): Thread {
  const opened = Thread.open(
    {
      id: 't',
      versionId: 'v',
      authorKind: 'person',
      authorUserId: 'ada',
      body: 'x',
      anchor: null,
      replacement: null,
    },
    AT,
  );
  return Thread.restore({ ...opened.state, ...part });
}

describe('the states of a thread', () => {
  test.each([
    ['pending', null, 'addressed'],
    ['addressed', 'already_addressed', 'addressed'],
    ['resolved', 'already_resolved', 'resolved'],
  ] as const)('an agent marks one that is %s', (status, answer, after) => {
    const t = thread({ status });
    expect(t.address(AT)).toBe(answer);
    expect(t.state.status).toBe(after);
  });

  test.each([
    ['pending', 'pending', false],
    ['addressed', 'pending', true],
    ['resolved', 'resolved', false],
  ] as [ThreadStatus, ThreadStatus, boolean][])(
    'the reply of a person on one that is %s leaves it %s',
    (status, after, changed) => {
      const t = thread({ status });
      expect(t.reply('person', AT)).toBe(changed);
      expect(t.state).toMatchObject({ status: after, replies: 1 });
    },
  );

  test('the reply of an agent never changes the status', () => {
    for (const status of ['pending', 'addressed', 'resolved'] as const) {
      const t = thread({ status });
      expect(t.reply('agent', AT)).toBe(false);
      expect(t.state.status).toBe(status);
    }
  });

  test('a deleted thread takes nothing but to come back', () => {
    const t = thread();
    expect(t.delete('ada', AT)).toBe(true);
    expect(t.delete('ada', AT)).toBe(false);
    for (const work of [() => t.reply('agent', AT), () => t.resolve(AT), () => t.reopen(AT)])
      expect(work).toThrow(expect.objectContaining({ code: 'thread_deleted' }));
    expect(t.undelete(AT)).toBe(true);
    expect(t.undelete(AT)).toBe(false);
    expect(t.resolve(AT)).toBe(true);
    expect(t.resolve(AT)).toBe(false);
  });

  test('a comment is changed by its author within 15 minutes and before any reply', () => {
    const edge = new Date(AT.getTime() + 15 * 60_000);
    expect(thread().mayEdit('ada', edge)).toBe(true);
    expect(thread().mayEdit('ada', LATER)).toBe(false);
    expect(thread().mayEdit('ben', AT)).toBe(false);
    expect(thread().mayEdit(null, AT)).toBe(false);
    expect(thread({ replies: 1 }).mayEdit('ada', AT)).toBe(false);
    expect(thread({ authorUserId: null }).mayEdit(null, AT)).toBe(false);
  });
});
