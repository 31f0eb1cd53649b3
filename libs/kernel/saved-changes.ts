import { AsyncLocalStorage } from 'node:async_hooks';

/** Code of a refusal after which something may have been saved: a repeat could act twice. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

const storage = new AsyncLocalStorage<{ saved: boolean }>();

/** Runs one request under a note of whether it has saved anything yet. */
export function notingSavedChanges<T>(work: () => T): T {
  return storage.run({ saved: false }, work);
}

/** A transaction of the request has been, or is being, committed. */
export function noteSavedChange(): void {
  const note = storage.getStore();
  if (note) note.saved = true;
}

/** Whether a repeat of the request could act a second time. */
export function hasSavedChange(): boolean {
  return storage.getStore()?.saved ?? false;
}
