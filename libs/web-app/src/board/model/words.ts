import { exactTime, relativeTime } from '../../components/format-time';
import type { GlyphName } from '../../components/icon';
import type { Tone } from '../../components/tone';
import type { Chip, PullRequestState, StateKind } from '../types';

export const STATE: Readonly<Record<StateKind, { word: string; tone: Tone; glyph: GlyphName }>> = {
  stuck: { word: 'Stuck', tone: 'bad', glyph: 'stuck' },
  'needs-you': { word: 'Needs you', tone: 'warn', glyph: 'needs-you' },
  working: { word: 'Working', tone: 'accent', glyph: 'working' },
  waiting: { word: 'Waiting', tone: 'neutral', glyph: 'waiting' },
};

export const CHIP: Readonly<Record<Chip, { word: string; tone: Tone; glyph: GlyphName }>> = {
  'checks-failed': { word: 'Checks failed', tone: 'bad', glyph: 'failed' },
  conflict: { word: 'Conflict', tone: 'bad', glyph: 'blocked' },
  'automation-blocked': { word: 'Automation blocked', tone: 'bad', glyph: 'stuck' },
  paused: { word: 'Paused', tone: 'warn', glyph: 'stopped' },
};

export interface Word {
  readonly word: string;
  readonly tone: Tone;
  readonly glyph: GlyphName;
  readonly note?: string;
}

/** From when on: a time of today, else a day; "12 min ago" has no place behind "since". */
export function sinceWords(at: Date, now: Date, timeZone: string): string {
  const words = relativeTime(at, now, timeZone);
  return words === 'now' || words.endsWith(' ago') ? exactTime(at, timeZone).slice(-8, -3) : words;
}

/** What is said of a pull request. `hasUrl` is false when the link leads nowhere. */
export function pullRequestWords(state: PullRequestState | null, hasUrl: boolean): readonly Word[] {
  if (!hasUrl) return [{ word: 'Unavailable', tone: 'neutral', glyph: 'unknown' }];
  if (!state) return [{ word: 'Not reported', tone: 'neutral', glyph: 'unknown' }];
  if (state.state === 'merged') return [{ word: 'Merged', tone: 'good', glyph: 'done' }];
  if (state.state === 'closed') return [{ word: 'Closed', tone: 'neutral', glyph: 'passed-over' }];
  const words: Word[] = [
    state.draft
      ? { word: 'Draft', tone: 'neutral', glyph: 'draft' }
      : { word: 'Open', tone: 'accent', glyph: 'pending' },
  ];
  if (state.checks === 'passed') words.push({ word: 'Checks passed', tone: 'good', glyph: 'done' });
  if (state.checks === 'pending') words.push({ word: 'Checks pending', tone: 'neutral', glyph: 'waiting' });
  if (state.checks === 'failed') {
    words.push({
      word: 'Checks failed',
      tone: 'bad',
      glyph: 'failed',
      note: state.failedChecks.join(', '),
    });
  }
  if (state.mergeability === 'conflicting') words.push({ word: 'Conflict', tone: 'bad', glyph: 'blocked' });
  if (state.mergeability === 'behind')
    words.push({ word: 'Behind base', tone: 'neutral', glyph: 'unfinished' });
  if (state.mergeability === 'blocked')
    words.push({ word: 'Merge blocked', tone: 'neutral', glyph: 'blocked' });
  if (state.review === 'approved') words.push({ word: 'Approved', tone: 'good', glyph: 'done' });
  if (state.review === 'approval-outdated') {
    words.push({ word: 'Approval outdated', tone: 'warn', glyph: 'needs-review' });
  }
  if (state.review === 'changes-requested') {
    words.push({ word: 'Changes requested', tone: 'bad', glyph: 'changes-requested' });
  }
  if (state.review === 'required')
    words.push({ word: 'Review required', tone: 'warn', glyph: 'needs-review' });
  return words;
}

/** How a pull request is named: its place on the forge, or its address without the scheme. */
export function pullRequestName(link: {
  repository: string | null;
  number: number | null;
  url: string;
}): string {
  if (link.repository !== null && link.number !== null) return `${link.repository} #${link.number}`;
  return link.url.replace(/^https?:\/\//u, '');
}

/** The address when a browser may open it. */
export function safeUrl(url: string): string | null {
  const whole = /^[a-z][a-z0-9+.-]*:/iu.test(url) ? url : `https://${url}`;
  try {
    const { protocol, href } = new URL(whole);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}
