import type { Actor, Channel } from '../actor.js';

/** One record of the audit log. Never put bodies, tokens, passwords or e-mail addresses in it. */
export interface AuditEntry {
  /** Dotted lower case: `document.created`. */
  readonly operation: string;
  readonly outcome?: 'success' | 'refused' | 'failed';
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly projectId?: string | null;
  /** Ids, names of changed fields and counts; at most 4 KB as JSON. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Overrides the channel of the actor, for changes made on OAuth pages. */
  readonly channel?: Channel;
}

/** The audit log: one record a change, in its transaction. A call that changes nothing writes none. */
export abstract class Audit {
  /** Several entries are the parts of one change, in their order. */
  abstract record(actor: Actor, ...entries: AuditEntry[]): Promise<void>;
}
