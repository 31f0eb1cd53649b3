import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';

/** Conflicts of two writers are no refusals by a rule. */
const OF_TWO_WRITERS = new Set(['revision_conflict', 'busy', 'stale']);

export interface Attempt {
  /** What would have been recorded, had it been done. */
  readonly operation: string;
  readonly projectId: string;
  readonly artifactId?: string;
}

/** Keeps a record of writes that a rule refused: a role, a workspace, a state, a limit (`artifacts.md` 12). */
@Injectable()
export class RefusalRecords {
  constructor(private readonly audit: Audit) {}

  /** Runs `work`; what it refuses is recorded and thrown on. */
  async around<T>(actor: Actor, attempt: Attempt, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isRefusalByRule(error)) {
        const { operation, projectId, artifactId } = attempt;
        await this.audit.record(actor, {
          operation,
          outcome: 'refused',
          projectId,
          ...(artifactId === undefined ? {} : { subjectType: 'artifact', subjectId: artifactId }),
          context: { code: error.code },
        });
      }
      throw error;
    }
  }
}

function isRefusalByRule(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || OF_TWO_WRITERS.has(error.code)) return false;
  return error.kind === 'conflict' || error.kind === 'forbidden';
}
