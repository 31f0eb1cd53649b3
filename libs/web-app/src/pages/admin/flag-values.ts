import type { Flag, FlagValue } from '../../api/types';

/** How a value is written in a field or a cell. */
export function flagText(value: FlagValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** What a person typed, as a value of the flag; or the sentence that says why it is none. */
export function readFlag(flag: Flag, text: string): { value: FlagValue } | { problem: string } {
  const typed = text.trim();
  const kept = `Nothing was saved; the value in force is ${flagText(flag.value) || 'empty'}.`;
  if (flag.type === 'int') {
    const number = Number(typed);
    const whole = /^-?\d+$/.test(typed) && Number.isSafeInteger(number);
    if (!whole || (flag.min !== null && number < flag.min) || (flag.max !== null && number > flag.max)) {
      return { problem: `${boundsSentence(flag)} ${kept}` };
    }
    return { value: number };
  }
  if (flag.type === 'list') {
    return {
      value: typed
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    };
  }
  if (flag.type === 'string') {
    const length = [...typed].length;
    if ((flag.min !== null && length < flag.min) || (flag.max !== null && length > flag.max)) {
      return { problem: `${lengthSentence(flag)} ${kept}` };
    }
  }
  return { value: typed };
}

function boundsSentence({ min, max }: Flag): string {
  if (min !== null && max !== null) return `Use a number from ${min} to ${max}.`;
  if (min !== null) return `Use a whole number, ${min} or more.`;
  if (max !== null) return `Use a whole number, ${max} or less.`;
  return 'Use a whole number.';
}

function lengthSentence({ min, max }: Flag): string {
  if (min !== null && max !== null && min > 0) return `Use ${min} to ${max} characters.`;
  if (max !== null) return `Use at most ${max} characters.`;
  return `Use at least ${min} characters.`;
}

export type FlagView = 'all' | 'changed' | 'unused';

/** The flags whose name or description holds every word, grouped by context in the order of the server. */
export function groupFlags(
  flags: readonly Flag[],
  words: string,
  view: FlagView,
): readonly { readonly context: string; readonly flags: readonly Flag[] }[] {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean);
  const groups = new Map<string, Flag[]>();
  for (const flag of flags) {
    if (view === 'unused' || (view === 'changed' && flag.isDefault)) continue;
    const text = `${flag.name} ${flag.description} ${flag.context}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const group = groups.get(flag.context);
    if (group) group.push(flag);
    else groups.set(flag.context, [flag]);
  }
  return [...groups].map(([context, of]) => ({ context, flags: of }));
}
