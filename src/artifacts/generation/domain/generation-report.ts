import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { cleanText } from '#libs/kernel/text.js';

/** What a worker says about its job. */
export type GenerationReport =
  | { readonly state: 'progress'; readonly progress: number; readonly notes: readonly string[] }
  | { readonly state: 'ready'; readonly name: string | null; readonly notes: readonly string[] }
  | { readonly state: 'failed'; readonly error: string; readonly notes: readonly string[] };

export interface GivenReport {
  readonly jobId?: unknown;
  readonly state?: unknown;
  readonly progress?: unknown;
  readonly name?: unknown;
  readonly error?: unknown;
  readonly notes?: unknown;
}

const MAX_NOTES = 10;

/** Checks a report (`artifacts.md` 7.2). @throws InvalidInput that names every wrong argument. */
export function readReport(given: GivenReport): { jobId: string; report: GenerationReport } {
  const problems = new Problems();
  const { jobId, state } = given;
  if (typeof jobId !== 'string' || !isUuid(jobId))
    problems.add('jobId', 'jobId must be the UUID of the job.');
  if (state !== 'progress' && state !== 'ready' && state !== 'failed') {
    problems.add('state', 'state must be progress, ready or failed.');
  }
  only(problems, given, 'progress', 'progress');
  only(problems, given, 'name', 'ready');
  only(problems, given, 'error', 'failed');
  const notes = readNotes(problems, given.notes);
  const progress = Number(given.progress);
  if (state === 'progress' && (!Number.isInteger(given.progress) || progress < 0 || progress > 99)) {
    problems.add('progress', 'progress must be a whole number from 0 to 99.');
  }
  const name =
    typeof given.name === 'string'
      ? cleanText(problems, 'name', given.name, { max: 120, oneLine: true })
      : '';
  const error =
    state === 'failed'
      ? cleanText(problems, 'error', String(given.error ?? ''), { max: 500, required: true })
      : '';
  problems.throwIfAny();
  const id = (jobId as string).toLowerCase();
  if (state === 'progress') return { jobId: id, report: { state, progress, notes } };
  if (state === 'ready') return { jobId: id, report: { state, name: name || null, notes } };
  return { jobId: id, report: { state: 'failed', error, notes } };
}

function only(
  problems: Problems,
  given: GivenReport,
  argument: 'progress' | 'name' | 'error',
  state: string,
): void {
  const value = given[argument];
  if (value === undefined || value === null || given.state === state) return;
  problems.add(argument, `${argument} is only valid with state ${state}.`);
}

function readNotes(problems: Problems, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_NOTES || value.some((note) => typeof note !== 'string')) {
    problems.add('notes', `notes must be a list of at most ${MAX_NOTES} texts.`);
    return [];
  }
  return value
    .map((note: string, index) => cleanText(problems, `notes[${index}]`, note, { max: 200 }))
    .filter(Boolean);
}
