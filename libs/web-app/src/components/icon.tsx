import type { LucideIcon } from 'lucide-react';
import glyphSheet from '../styles/glyphs.svg?raw';
import type { Tone } from './tone';

export interface IconProps {
  readonly icon: LucideIcon;
  readonly size?: 'sm' | 'lg';
  readonly tone?: Tone;
  readonly spin?: boolean;
  /** Turned round in right-to-left pages, for arrows that mean forth and back. */
  readonly flip?: boolean;
}

/** An outline icon. It never stands alone for a meaning, so it is hidden from assistive technology. */
export function Icon({ icon: Shape, size, tone, spin, flip }: IconProps) {
  return (
    <Shape
      className="i"
      aria-hidden="true"
      focusable="false"
      data-size={size}
      data-tone={tone}
      data-spin={spin || undefined}
      data-flip={flip || undefined}
    />
  );
}

export type GlyphName =
  | 'draft'
  | 'needs-review'
  | 'done'
  | 'changes-requested'
  | 'pending'
  | 'addressed'
  | 'stuck'
  | 'needs-you'
  | 'working'
  | 'waiting'
  | 'preparing'
  | 'stopping'
  | 'stopped'
  | 'blocked'
  | 'failed'
  | 'not-started'
  | 'passed-over'
  | 'unfinished'
  | 'no-result'
  | 'unknown';

export interface GlyphProps {
  readonly name: GlyphName;
  readonly size?: 'sm' | 'lg';
  readonly tone?: Tone;
}

/** The shape of a state. A word always stands beside it. */
export function Glyph({ name, size, tone }: GlyphProps) {
  return (
    <svg
      className="i"
      aria-hidden="true"
      focusable="false"
      data-size={size}
      data-tone={tone}
      data-spin={name === 'working' || undefined}
    >
      <use href={`#g-${name}`} />
    </svg>
  );
}

const symbols = glyphSheet
  .slice(glyphSheet.indexOf('<symbol'), glyphSheet.lastIndexOf('</svg>'))
  .replaceAll('id="', 'id="g-');

/** The shapes that `Glyph` points at; the shell puts them into the page once. */
export function GlyphSheet() {
  return (
    <svg
      className="glyph-sheet"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this package, not text of a person
      dangerouslySetInnerHTML={{ __html: symbols }}
    />
  );
}

/** The mark of Loupe. */
export function Mark() {
  return (
    <svg className="brand__mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="7.25" strokeWidth="1.75" />
      <path d="M.75 12H4M20 12h3.25" strokeWidth="1.25" strokeLinecap="round" />
      <path d="M8.5 12h7" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
