import type { GlyphName } from '../components/icon';
import type { Tone } from '../components/tone';
import type { Author, ThreadStatus } from './shapes';

interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly glyph: GlyphName;
}

export const THREAD_STATUS: Record<ThreadStatus, Look> = {
  pending: { word: 'Pending', tone: 'accent', glyph: 'pending' },
  addressed: { word: 'Addressed', tone: 'warn', glyph: 'addressed' },
  resolved: { word: 'Resolved', tone: 'good', glyph: 'done' },
};

/** "an agent", or the name of the person. */
export function authorName(author: Author | null | undefined): string {
  if (!author) return 'unknown';
  if (author.name) return author.kind === 'agent' ? `Agent for ${author.name}` : author.name;
  return author.kind === 'agent' ? 'Agent' : 'Deleted person';
}
