import { Injectable } from '@nestjs/common';
import { diffWordsWithSpace, structuredPatch } from 'diff';
import { TextDiffer } from '../application/ports/text-differ.js';
import type { DiffHunk, DiffLine } from '../domain/text-diff.js';

const CONTEXT = 3;
const TIME_MS = 2_000;
/** Longer lines, as of minified scripts, are shown without marks on words. */
const WORDS_IN_LINE = 2_000;
const WORD_MS = 20;

/** Differences by the algorithm of Myers. */
@Injectable()
export class MyersTextDiffer extends TextDiffer {
  override diff(from: string, to: string): DiffHunk[] | null {
    const patch = structuredPatch('', '', from, to, '', '', { context: CONTEXT, timeout: TIME_MS });
    if (!patch) return null;
    return patch.hunks.map(({ oldStart, newStart, lines }) => ({
      fromLine: oldStart,
      toLine: newStart,
      lines: withWords(lines.filter((line) => !line.startsWith('\\')).map(lineOf)),
    }));
  }
}

function lineOf(line: string): DiffLine {
  return { op: line[0] as DiffLine['op'], text: line.slice(1) };
}

/** Pairs each removed line with the added one that stands at the same place of its block. */
function withWords(lines: readonly DiffLine[]): DiffLine[] {
  const result = [...lines];
  for (let start = 0; start < lines.length; ) {
    if (lines[start]!.op !== '-') {
      start += 1;
      continue;
    }
    let added = start;
    while (lines[added]?.op === '-') added += 1;
    let end = added;
    while (lines[end]?.op === '+') end += 1;
    for (let at = 0; start + at < added && added + at < end; at += 1) {
      const words = wordsOf(lines[start + at]!.text, lines[added + at]!.text);
      if (!words) continue;
      result[start + at] = { ...lines[start + at]!, words: words.before };
      result[added + at] = { ...lines[added + at]!, words: words.after };
    }
    start = end;
  }
  return result;
}

type Words = NonNullable<DiffLine['words']>;

function wordsOf(before: string, after: string): { before: Words; after: Words } | null {
  if (Math.max(before.length, after.length) > WORDS_IN_LINE) return null;
  const parts = diffWordsWithSpace(before, after, { timeout: WORD_MS });
  if (!parts) return null;
  const side = (own: 'added' | 'removed', op: '-' | '+'): Words =>
    parts
      .filter((part) => part[own] || (!part.added && !part.removed))
      .map((part) => ({ op: part[own] ? op : (' ' as const), text: part.value }));
  return { before: side('removed', '-'), after: side('added', '+') };
}
