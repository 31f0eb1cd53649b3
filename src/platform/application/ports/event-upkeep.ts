/** What an operator may do with events by hand. */
export abstract class EventUpkeep {
  /** Queues again what was dispatched at or after `since` and not delivered. Says how many deliveries. */
  abstract redispatch(since: Date): Promise<number>;
  /** Deletes events from before `before` that were never dispatched. Says how many. */
  abstract discard(before: Date): Promise<number>;
}
