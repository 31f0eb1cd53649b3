import type { Thread } from '../shapes';
import { countThreads, isShown, lastingName, neighbour, waitsForReader } from './thread-list';

const thread = (over: Partial<Thread>): Thread => ({
  id: 't',
  status: 'pending',
  orphaned: false,
  moved: false,
  anchor: null,
  replacement: null,
  bodyHtml: '',
  body: '',
  author: { kind: 'person', personId: 'p1', name: 'Ines' },
  createdAt: '2026-11-30T09:00:00.123Z',
  updatedAt: '2026-11-30T09:00:00.123Z',
  mayEdit: false,
  replies: [],
  ...over,
});

describe('threads of a review', () => {
  const threads = [
    thread({ id: 'a' }),
    thread({ id: 'b', status: 'addressed' }),
    thread({ id: 'c', status: 'resolved' }),
    thread({ id: 'd', orphaned: true }),
  ];

  it('counts what each filter shows', () => {
    expect(countThreads(threads)).toEqual({ open: 3, resolved: 1, unanchored: 1, all: 4 });
    expect(threads.filter((one) => isShown(one, 'open')).map(({ id }) => id)).toEqual(['a', 'b', 'd']);
  });

  it('waits for the reader when it is addressed, or pending without its passage', () => {
    expect(threads.filter(waitsForReader).map(({ id }) => id)).toEqual(['b', 'd']);
    expect(waitsForReader(thread({ status: 'resolved', orphaned: true }))).toBe(false);
  });

  it('goes to the next and the previous thread, round the ends', () => {
    expect(neighbour(['a', 'b', 'c'], null, 1)).toBe('a');
    expect(neighbour(['a', 'b', 'c'], null, -1)).toBe('c');
    expect(neighbour(['a', 'b', 'c'], 'c', 1)).toBe('a');
    expect(neighbour(['a', 'b', 'c'], 'gone', -1)).toBe('c');
    expect(neighbour([], 'a', 1)).toBeNull();
  });

  it('names a thread the same before and after a revision, which changes its id', () => {
    expect(lastingName(thread({ id: 'old' }))).toBe(lastingName(thread({ id: 'new', status: 'addressed' })));
  });
});
