import { Injectable, Logger } from '@nestjs/common';
import { Signals } from '#libs/kernel/ports/signals.js';
import { LiveFeed, type LiveSink } from '../application/ports/live-feed.js';
import { cursorOf, LiveEventLog, type LoggedEvent, type LogPosition, parseCursor } from './live-event-log.js';

const POLL_MS = 5_000;
const POSITION_MS = 15_000;
const REPLAY_EVENTS = 1_000;
const REPLAY_MS = 600_000;
/** More than this at once is a flood: pages read their data anew. */
const BATCH = 5_000;

interface Follower {
  readonly topics: ReadonlySet<string>;
  readonly sink: LiveSink;
  /** Batches that arrive while the replay is read; null once it is done. */
  waiting: Batch[] | null;
  placedAtMs: number;
}

interface Batch {
  readonly events: readonly LoggedEvent[];
  readonly before: LogPosition;
  readonly until: LogPosition;
}

/** One reader of the log a process, woken by the signal `live` and every 5 s, for all streams of the process. */
@Injectable()
export class SqlLiveFeed extends LiveFeed {
  private readonly logger = new Logger('live');
  private readonly followers = new Set<Follower>();
  private position: LogPosition | null = null;
  private seen = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private stops: (() => void)[] = [];
  private reading: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly log: LiveEventLog,
    private readonly signals: Signals,
  ) {
    super();
  }

  start(): void {
    this.stops = [
      this.signals.subscribe('live', () => this.wake()),
      this.signals.onResync(() => this.wake()),
    ];
    this.timer = setInterval(() => this.wake(), POLL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    for (const stop of this.stops.splice(0)) stop();
    this.followers.clear();
  }

  override async follow(
    topics: ReadonlySet<string>,
    cursor: string | null,
    sink: LiveSink,
  ): Promise<() => void> {
    const follower: Follower = { topics, sink, waiting: [], placedAtMs: Date.now() };
    this.followers.add(follower);
    try {
      // Whoever follows is known before the replay is read, so nothing can fall between the two.
      this.position ??= await this.log.head();
      const sent = await this.replay(follower, cursor);
      const missed = follower.waiting ?? [];
      follower.waiting = null;
      for (const batch of missed) {
        deliver(follower, { ...batch, events: batch.events.filter(({ id }) => !sent.has(id)) });
      }
    } catch (error) {
      this.followers.delete(follower);
      throw error;
    }
    return () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) this.position = null;
    };
  }

  private async replay(follower: Follower, cursor: string | null): Promise<Set<number>> {
    const { sink, topics } = follower;
    const since = cursor === null ? null : parseCursor(cursor);
    if (since === null) {
      const head = cursorOf(await this.log.head());
      if (cursor === null) sink.position(head);
      else sink.resync(head);
      return new Set();
    }
    const { events, until } = await this.log.read(since, [...topics], REPLAY_EVENTS + 1);
    const tooOld = until.atMs - since.atMs > REPLAY_MS || since.atMs > until.atMs + 60_000;
    // An id beyond the log is of another database, or of this one before a restore.
    const foreign = until.id === since.id && (await this.log.head()).id < since.id;
    if (tooOld || foreign || events.length > REPLAY_EVENTS) {
      sink.resync(cursorOf(foreign ? await this.log.head() : until));
      return new Set();
    }
    deliver(follower, { events, before: since, until });
    if (events.length === 0) sink.position(cursorOf(until));
    return new Set(events.map(({ id }) => id));
  }

  private wake(): void {
    if (this.reading) {
      this.again = true;
      return;
    }
    if (this.followers.size === 0) return;
    this.reading = this.readOn()
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'Live events could not be read; it is tried again', err: error }),
      )
      .finally(() => {
        this.reading = null;
      });
  }

  private async readOn(): Promise<void> {
    do {
      this.again = false;
      const before = this.position;
      if (before === null) return;
      const { events, until } = await this.log.read(before, null, BATCH + 1);
      // The last follower has gone meanwhile, and perhaps a first one has come.
      if (this.position !== before) {
        this.again = this.followers.size > 0;
        continue;
      }
      const fresh = events.filter(({ id }) => !this.seen.has(id));
      this.position = until;
      this.seen = new Set(
        events.filter(({ transaction }) => transaction >= until.openFrom).map(({ id }) => id),
      );
      if (events.length > BATCH) {
        this.seen.clear();
        for (const { sink } of this.followers) sink.resync(cursorOf(until));
      } else {
        this.spread({ events: fresh, before, until });
      }
    } while (this.again);
  }

  private spread(batch: Batch): void {
    for (const follower of this.followers) {
      if (follower.waiting) follower.waiting.push(batch);
      else deliver(follower, batch);
    }
  }
}

function deliver(follower: Follower, { events, before, until }: Batch): void {
  const own = events.filter(({ topic }) => follower.topics.has(topic));
  const now = Date.now();
  own.forEach((event, index) => {
    const isLast = index === own.length - 1;
    // Only after the last one has everything of the batch been sent.
    const position = isLast
      ? until
      : { id: Math.max(before.id, event.id), openFrom: before.openFrom, atMs: before.atMs };
    const { id: _, transaction: __, ...rest } = event;
    follower.sink.update({ cursor: cursorOf(position), ...rest });
  });
  if (own.length > 0) follower.placedAtMs = now;
  else if (now - follower.placedAtMs >= POSITION_MS) {
    // Keeps the place of a quiet page young enough for a replay.
    follower.placedAtMs = now;
    follower.sink.position(cursorOf(until));
  }
}
