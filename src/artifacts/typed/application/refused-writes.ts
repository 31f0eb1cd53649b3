import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import type { Audit, AuditEntry } from '#libs/kernel/ports/audit.js';

/**
 * Runs a write, and records its refusal (`artifacts.md` 12). What somebody did not find, and what could not be tried,
 * is no refusal.
 */
export async function recordingRefusals<T>(
  audit: Audit,
  actor: Actor,
  entry: Pick<AuditEntry, 'operation' | 'projectId' | 'subjectType' | 'subjectId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'not-found' && error.kind !== 'unavailable') {
      await audit.record(actor, { ...entry, outcome: 'refused', context: { code: error.code } });
    }
    throw error;
  }
}
