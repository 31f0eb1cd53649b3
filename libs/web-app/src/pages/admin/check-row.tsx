import type { CheckState, StatusCheck } from '../../api/types';
import { Chip } from '../../components/chip';
import type { GlyphName } from '../../components/icon';
import type { Tone } from '../../components/tone';

const CHECK_STATES: Record<CheckState, { word: string; tone: Tone; glyph: GlyphName }> = {
  ok: { word: 'OK', tone: 'good', glyph: 'done' },
  warning: { word: 'Warning', tone: 'warn', glyph: 'stuck' },
  failed: { word: 'Failed', tone: 'bad', glyph: 'failed' },
  unknown: { word: 'Unknown', tone: 'neutral', glyph: 'unknown' },
};

export function CheckRow({ check }: { readonly check: StatusCheck }) {
  const { word, tone, glyph } = CHECK_STATES[check.state] ?? CHECK_STATES.unknown;
  return (
    <li className="rows__item rows__item--check">
      <span className="rows__text">
        <b>{titleOf(check.name)}</b>
        <span className="muted">{check.sentence}</span>
      </span>
      <Chip tone={tone} glyph={glyph} variant="plain">
        {word}
      </Chip>
    </li>
  );
}

/** Checks are named in kebab or snake case by the server; a person reads words. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/[-_.]/g, ' ')
    .replaceAll(/\b(cli|mcp|uri|url|db)\b/gi, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
