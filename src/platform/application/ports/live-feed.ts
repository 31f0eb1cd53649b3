export interface LiveEvent {
  /** Where to go on after this event; opaque. */
  readonly cursor: string;
  readonly topic: string;
  readonly type: string;
  readonly subjectId: string;
  readonly version: number | null;
  readonly at: Date;
}

/** Where the events of a stream go. */
export interface LiveSink {
  update(event: LiveEvent): void;
  /** Events are missing: the page reads its data anew. */
  resync(cursor: string): void;
  /** A cursor to go on from, with no event. */
  position(cursor: string): void;
}

/** Live events of all processes, from PostgreSQL. */
export abstract class LiveFeed {
  /**
   * Sends what comes on `topics`, after what came since `cursor`: up to 1,000 events of the last 10 minutes, else one
   * `resync`. Returns the way to stop it.
   */
  abstract follow(topics: ReadonlySet<string>, cursor: string | null, sink: LiveSink): Promise<() => void>;
}
