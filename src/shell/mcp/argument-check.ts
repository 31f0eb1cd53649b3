import type { z } from 'zod';
import type { Problem } from '#libs/kernel/errors.js';
import { normaliseLineBreaks } from '#libs/kernel/text.js';
import type { ToolDefinition } from './tool-definition.js';

/** Arguments that have the shape of the tool, and everything that is wrong about the others. */
export interface CheckedArguments {
  readonly input: Record<string, unknown>;
  /** Values of a wrong type, and names that the tool does not know. */
  readonly misfits: readonly Problem[];
  /** Arguments that the tool needs and did not get. */
  readonly missing: readonly Problem[];
}

/** Unknown arguments that are named one by one; what follows is only counted. */
const UNKNOWN_NAMED = 20;

/** Deeper values are of no use to any tool, and every walk through them costs stack. */
const DEEPEST = 50;

/** Compares arguments with the declaration of their tool (`platform.md` 2, "Argument errors"). */
export function checkArguments(
  tool: ToolDefinition,
  given: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const { shape } = tool.input;
  const problems: Problem[] = [];
  const input: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(shape, name)) {
      unknown.push(shortName(name));
      continue;
    }
    if (value === undefined || (value === null && !tool.refusesNull)) continue;
    const cleaned = cleanStrings(name, value, problems, 1);
    const parsed = (shape[name] as z.ZodType).safeParse(cleaned);
    if (parsed.success) input[name] = parsed.data;
    else problems.push(...parsed.error.issues.map((issue) => problemOf(name, issue)));
  }
  return { input, misfits: [...problems, ...refusedNames(tool, unknown)], missing: missingIn(tool, given) };
}

function refusedNames(tool: ToolDefinition, unknown: readonly string[]): Problem[] {
  const taken = listedNames(tool);
  const accepted = taken.length === 0 ? 'It takes none.' : `It takes: ${taken.join(', ')}.`;
  const problems = unknown.slice(0, UNKNOWN_NAMED).map((argument, place) => ({
    argument,
    sentence: `is not an argument of this tool.${place === 0 ? ` ${accepted}` : ''}`,
  }));
  const more = unknown.length - problems.length;
  if (more === 0) return problems;
  return [...problems, { argument: 'arguments', sentence: `${more} more are not arguments of this tool.` }];
}

/** Arguments that clients are shown; a second name of one of them works without being shown. */
export function listedNames(tool: ToolDefinition): string[] {
  const hidden = Object.values(tool.secondNames ?? {});
  return Object.keys(tool.input.shape).filter((name) => !hidden.includes(name));
}

function missingIn(tool: ToolDefinition, given: Readonly<Record<string, unknown>>): Problem[] {
  const isGiven = (name: string | undefined) =>
    name !== undefined && given[name] !== undefined && (given[name] !== null || tool.refusesNull === true);
  return Object.entries(tool.input.shape)
    .filter(([name, type]) => !isGiven(name) && !isGiven(tool.secondNames?.[name]) && isRequired(type))
    .map(([argument, type]) => ({ argument, sentence: requiredSentence(type as z.ZodType) }));
}

function isRequired(type: z.core.$ZodType): boolean {
  return !(type as z.ZodType).safeParse(undefined).success;
}

/** What the schema says about an argument stands in the refusal too: the agent may have no schema at hand. */
function requiredSentence(type: z.ZodType): string {
  const { description, enum: words } = type.meta() ?? {};
  const accepted = Array.isArray(words) ? ` Use one of: ${words.join(', ')}.` : '';
  return `is required.${description ? ` ${description}.` : ''}${accepted}`;
}

function problemOf(name: string, issue: z.core.$ZodIssue): Problem {
  const argument = issue.path.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${shortName(String(step))}`),
    name,
  );
  if (issue.code === 'unrecognized_keys') {
    return { argument, sentence: `has unknown fields: ${issue.keys.map(shortName).join(', ')}.` };
  }
  return { argument, sentence: issue.message };
}

/** Line breaks become `\n`; text that no database can hold is a problem. */
function cleanStrings(path: string, value: unknown, problems: Problem[], depth: number): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
      problems.push({ argument: path, sentence: 'must be valid text without NUL characters.' });
      return '';
    }
    return value.includes('\r') ? normaliseLineBreaks(value) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) {
    // Its whole path would be as long as it is deep.
    const [argument] = path.split(/[.[]/, 1);
    problems.push({ argument: argument!, sentence: `must be at most ${DEEPEST} levels deep.` });
    return null;
  }
  if (Array.isArray(value))
    return value.map((item, index) => cleanStrings(`${path}[${index}]`, item, problems, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      cleanStrings(`${path}.${shortName(key)}`, inner, problems, depth + 1),
    ]),
  );
}

/** A name that a client made up, short and on one line. */
function shortName(name: string): string {
  return name.replace(/[^\w.:-]/gu, '?').slice(0, 60);
}
