import type { z } from 'zod';
import type { Problem } from '#libs/kernel/errors.js';
import { normaliseLineBreaks } from '#libs/kernel/text.js';
import type { ToolDefinition } from './tool-definition.js';

/** Arguments that have the shape of the tool, or everything about them that has not. */
export type CheckedArguments = { readonly input: Record<string, unknown> } | { readonly problems: Problem[] };

/** Compares arguments with the declaration of their tool (`platform.md` 2, "Argument errors"). */
export function checkArguments(
  tool: ToolDefinition,
  given: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const { shape } = tool.input;
  const problems: Problem[] = [];
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(shape, name)) {
      problems.push({ argument: shortName(name), sentence: 'is not an argument of this tool' });
      continue;
    }
    if (value === null && tool.absentIsForTheUseCase) continue;
    const cleaned = cleanStrings(name, value, problems);
    const parsed = (shape[name] as z.ZodType).safeParse(cleaned);
    if (parsed.success) input[name] = parsed.data;
    else problems.push(...parsed.error.issues.map((issue) => problemOf(name, issue)));
  }
  const leaveAbsent = tool.absentIsForTheUseCase && problems.length === 0;
  if (!leaveAbsent) {
    for (const [name, type] of Object.entries(shape)) {
      const absent = given[name] === undefined || (given[name] === null && tool.absentIsForTheUseCase);
      if (absent && !(type as z.ZodType).safeParse(undefined).success) {
        problems.push({ argument: name, sentence: 'is required' });
      }
    }
  }
  return problems.length > 0 ? { problems } : { input };
}

function problemOf(name: string, issue: z.core.$ZodIssue): Problem {
  const argument = issue.path.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${String(step)}`),
    name,
  );
  if (issue.code === 'unrecognized_keys') {
    return { argument, sentence: `has unknown fields: ${issue.keys.map(shortName).join(', ')}` };
  }
  return { argument, sentence: issue.message };
}

/** Line breaks become `\n`; text that no database can hold is a problem. */
function cleanStrings(path: string, value: unknown, problems: Problem[]): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
      problems.push({ argument: path, sentence: 'must be valid text without NUL characters' });
      return '';
    }
    return value.includes('\r') ? normaliseLineBreaks(value) : value;
  }
  if (Array.isArray(value))
    return value.map((item, index) => cleanStrings(`${path}[${index}]`, item, problems));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        cleanStrings(`${path}.${shortName(key)}`, inner, problems),
      ]),
    );
  }
  return value;
}

/** A name that a client made up, short and on one line. */
function shortName(name: string): string {
  return name.replace(/[^\w.:-]/gu, '?').slice(0, 60);
}
