/** What waits in the database for a worker, and leaves or acts when one comes. */
export interface WaitingWork {
  /** Events that were never handed to their listeners. */
  readonly events: number;
  readonly mails: number;
}

/** What an operator may do with events by hand. */
export abstract class EventUpkeep {
  /** Queues again what was dispatched at or after `since` and not delivered. Says how many deliveries. */
  abstract redispatch(since: Date): Promise<number>;
  abstract waiting(): Promise<WaitingWork>;
  /** Deletes events from before `before` that were never dispatched. Says how many. */
  abstract discardEvents(before: Date): Promise<number>;
  /** Gives up mails from before `before` that were not sent. Says how many. */
  abstract discardMails(before: Date): Promise<number>;
}
