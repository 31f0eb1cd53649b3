import type { HistoryEvent, PullRequestState } from '../types';
import { actorName, eventWords } from './history-words';
import { pullRequestName, pullRequestWords, safeUrl, sinceWords } from './words';

const state: PullRequestState = {
  state: 'open',
  draft: false,
  checks: 'none',
  failedChecks: [],
  mergeability: 'mergeable',
  review: 'none',
  readyToMerge: false,
  refreshedAt: '2026-11-30T12:00:00.000Z',
};
const words = (part: Partial<PullRequestState>) =>
  pullRequestWords({ ...state, ...part }, true).map((each) => each.word);

describe('what is said of a pull request', () => {
  it('says all that holds while it is open', () => {
    expect(
      words({ draft: true, checks: 'failed', mergeability: 'conflicting', review: 'changes-requested' }),
    ).toEqual(['Draft', 'Checks failed', 'Conflict', 'Changes requested']);
    expect(words({ checks: 'passed', mergeability: 'behind', review: 'required' })).toEqual([
      'Open',
      'Checks passed',
      'Behind base',
      'Review required',
    ]);
  });

  it('says one word when it is over, and does not guess when it was never read', () => {
    expect(words({ state: 'merged', checks: 'failed' })).toEqual(['Merged']);
    expect(words({ state: 'closed', review: 'approved' })).toEqual(['Closed']);
    expect(pullRequestWords(null, true).map((each) => each.word)).toEqual(['Not reported']);
    expect(pullRequestWords(state, false).map((each) => each.word)).toEqual(['Unavailable']);
  });

  it('opens only addresses of the web', () => {
    expect(safeUrl('github.com/a/b/pull/1')).toBe('https://github.com/a/b/pull/1');
    expect(safeUrl('http://forge.example/x')).toBe('http://forge.example/x');
    expect(safeUrl('javascript:alert(1)')).toBeNull();
    expect(safeUrl('https://')).toBeNull();
  });

  it('names it by its place on the forge, else by its address', () => {
    expect(pullRequestName({ repository: 'a/b', number: 7, url: 'x' })).toBe('a/b #7');
    expect(pullRequestName({ repository: null, number: null, url: 'https://gitlab.com/x/1' })).toBe(
      'gitlab.com/x/1',
    );
  });
});

describe('the timeline', () => {
  const event = (part: Partial<HistoryEvent>): HistoryEvent => ({
    id: '1',
    kind: 'moved',
    occurredAt: '2026-11-30T12:00:00.000Z',
    actor: { kind: 'human', name: 'Ines Marlow' },
    from: { id: 'a', slug: 'next', label: 'Next' },
    to: { id: 'b', slug: 'done', label: 'Done' },
    cause: null,
    pullRequest: null,
    reason: null,
    run: null,
    pause: null,
    fromParent: null,
    toParent: null,
    ...part,
  });

  it('says moves with their cause', () => {
    expect(eventWords(event({}))).toBe('moved the card from Next to Done');
    expect(eventWords(event({ cause: 'merged' }))).toBe(
      'moved the card from Next to Done, because its pull request was merged',
    );
    expect(eventWords(event({ cause: 'rule:x' }))).toBe(
      'moved the card from Next to Done, by a rule of the workflow',
    );
  });

  it('names who did it, also when they are gone', () => {
    expect(actorName(event({}))).toBe('Ines Marlow');
    expect(actorName(event({ actor: { kind: 'human', name: null } }))).toBe('Deleted person');
    expect(actorName(event({ actor: { kind: 'system', name: null } }))).toBe('Loupe');
    expect(actorName(event({ actor: { kind: 'reviewer', name: null } }))).toBe('A reviewer');
  });

  it('says changes of the parent both ways', () => {
    const one = { cardId: 'p', number: 1 };
    const two = { cardId: 'q', number: 2 };
    expect(eventWords(event({ kind: 'parent-changed', toParent: one }))).toBe('made the card part of #1');
    expect(eventWords(event({ kind: 'parent-changed', fromParent: one }))).toBe('took the card out of #1');
    expect(eventWords(event({ kind: 'parent-changed', fromParent: one, toParent: two }))).toBe(
      'moved the card from #1 to #2',
    );
  });

  it('says from when on something holds by the clock of today, else by the day', () => {
    const now = new Date('2026-11-30T20:00:00Z');
    const since = (at: string) => sinceWords(new Date(at), now, 'Europe/Oslo');
    expect(since('2026-11-30T19:59:50Z')).toBe('20:59');
    expect(since('2026-11-30T06:05:00Z')).toBe('07:05');
    expect(since('2026-11-29T15:40:00Z')).toBe('yesterday 16:40');
    expect(since('2026-11-21T15:40:00Z')).toBe('21 Nov');
  });
});
