import type { ReactNode } from 'react';
import type { DocumentStatus } from '../documents/shapes';
import { Glyph, type GlyphName } from './icon';
import type { Tone } from './tone';

export interface ChipProps {
  readonly tone?: Tone;
  /** `plain` in rows and tiles: the glyph has the colour and the word stays ink. */
  readonly variant?: 'plain' | 'outline';
  /** Waits for the reader. */
  readonly strong?: boolean;
  readonly glyph?: GlyphName;
  readonly children: ReactNode;
}

export function Chip({ tone, variant, strong, glyph, children }: ChipProps) {
  return (
    <span className="chip" data-tone={tone} data-variant={variant} data-strong={strong || undefined}>
      {glyph && <Glyph name={glyph} />}
      {children}
    </span>
  );
}

/** How each status of a document reads and looks, on every page. */
export const DOCUMENT_STATUS: Record<DocumentStatus, { word: string; tone: Tone; glyph: GlyphName }> = {
  draft: { word: 'Draft', tone: 'neutral', glyph: 'draft' },
  'in-review': { word: 'Needs review', tone: 'warn', glyph: 'needs-review' },
  approved: { word: 'Approved', tone: 'good', glyph: 'done' },
  'changes-requested': { word: 'Changes requested', tone: 'bad', glyph: 'changes-requested' },
};

export interface DocumentStatusChipProps {
  readonly status: DocumentStatus;
  readonly variant?: ChipProps['variant'];
}

export function DocumentStatusChip({ status, variant }: DocumentStatusChipProps) {
  const { word, tone, glyph } = DOCUMENT_STATUS[status];
  return (
    <Chip tone={tone} glyph={glyph} variant={variant} strong={status === 'in-review'}>
      {word}
    </Chip>
  );
}
