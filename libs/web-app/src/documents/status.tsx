import { Chip, type ChipProps } from '../components/chip';
import type { GlyphName } from '../components/icon';
import type { Tone } from '../components/tone';
import type { Author, DocumentStatus, ThreadStatus } from './api';

interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly glyph: GlyphName;
}

export const STATUS: Record<DocumentStatus, Look> = {
  draft: { word: 'Draft', tone: 'neutral', glyph: 'draft' },
  'in-review': { word: 'Needs review', tone: 'warn', glyph: 'needs-review' },
  approved: { word: 'Approved', tone: 'good', glyph: 'done' },
  'changes-requested': { word: 'Changes requested', tone: 'bad', glyph: 'changes-requested' },
};

export const THREAD_STATUS: Record<ThreadStatus, Look> = {
  pending: { word: 'Pending', tone: 'accent', glyph: 'pending' },
  addressed: { word: 'Addressed', tone: 'warn', glyph: 'addressed' },
  resolved: { word: 'Resolved', tone: 'good', glyph: 'done' },
};

export function StatusChip({
  status,
  variant,
}: {
  readonly status: DocumentStatus;
  readonly variant?: ChipProps['variant'];
}) {
  const { word, tone, glyph } = STATUS[status];
  return (
    <Chip tone={tone} glyph={glyph} variant={variant}>
      {word}
    </Chip>
  );
}

/** "an agent", or the name of the person. */
export function authorName(author: Author | null | undefined): string {
  if (!author) return 'unknown';
  if (author.name) return author.kind === 'agent' ? `Agent for ${author.name}` : author.name;
  return author.kind === 'agent' ? 'Agent' : 'Deleted person';
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
