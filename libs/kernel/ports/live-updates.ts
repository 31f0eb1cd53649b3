/** What happened, never its content: the page refetches what it shows. */
export interface LiveUpdate {
  readonly type: string;
  readonly subjectId: string;
  readonly version?: number;
}

/** Browser streams (`platform.md` 9). Topics: `project:{id}`, `project:{id}:documents`, …, `me:{personId}`. */
export abstract class LiveUpdates {
  /** Written in the running transaction, sent to every process after its commit. */
  abstract publish(topic: string, update: LiveUpdate): Promise<void>;
}
