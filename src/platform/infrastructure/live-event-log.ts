import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import type { LiveEvent } from '../application/ports/live-feed.js';

/**
 * A place in the log. Ids alone do not tell it: a transaction with a lower id may commit later. So it also holds the
 * lowest transaction that was still open: everything below both has been seen.
 */
export interface LogPosition {
  readonly id: number;
  readonly openFrom: bigint;
  /** Database time in milliseconds at which it was read. */
  readonly atMs: number;
}

export interface LoggedEvent extends Omit<LiveEvent, 'cursor'> {
  readonly id: number;
  readonly transaction: bigint;
}

export interface LogSlice {
  /** In order of id. */
  readonly events: readonly LoggedEvent[];
  /** Everything up to here is in this slice, or was before. */
  readonly until: LogPosition;
}

interface Row {
  head: number;
  open_from: string;
  now_ms: number;
  id: number | null;
  xid: string;
  topic: string;
  type: string;
  subject_id: string;
  version: number | null;
  at: Date;
}

const KEEP = '1 hour';

/** Live events in PostgreSQL, as their readers see them. */
@Injectable()
export class LiveEventLog {
  constructor(private readonly database: Database) {}

  /** What was not seen at `since`, at most `limit` events; on `topics`, or on all when null. */
  async read(since: LogPosition, topics: readonly string[] | null, limit: number): Promise<LogSlice> {
    // One statement is one snapshot: the events and the position belong together.
    const rows = await this.database.query<Row>(
      `SELECT s.head, s.open_from, s.now_ms, e.*
       FROM (SELECT coalesce((SELECT max(id) FROM platform.live_events), 0) AS head,
                    pg_snapshot_xmin(pg_current_snapshot())::text AS open_from,
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) s
       LEFT JOIN LATERAL (
         SELECT id, xid::text, topic, type, subject_id, version, at FROM platform.live_events
         WHERE (id > $1 OR xid >= $2::text::xid8) AND ($3::text[] IS NULL OR topic = ANY($3))
         ORDER BY id LIMIT $4) e ON true
       ORDER BY e.id`,
      [since.id, since.openFrom.toString(), topics, limit],
    );
    const [first] = rows;
    const events = rows.flatMap((row) => (row.id === null ? [] : [eventOf({ ...row, id: row.id })]));
    return {
      events,
      until: {
        id: Math.max(first!.head, since.id),
        openFrom: BigInt(first!.open_from),
        atMs: first!.now_ms,
      },
    };
  }

  /** The place after everything that can be seen now. */
  async head(): Promise<LogPosition> {
    const row = await this.database.one<Pick<Row, 'head' | 'open_from' | 'now_ms'>>(
      `SELECT coalesce((SELECT max(id) FROM platform.live_events), 0) AS head,
              pg_snapshot_xmin(pg_current_snapshot())::text AS open_from,
              (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms`,
    );
    return { id: row!.head, openFrom: BigInt(row!.open_from), atMs: row!.now_ms };
  }

  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM platform.live_events WHERE at < now() - interval '${KEEP}'`);
  }
}

/** The position as a browser keeps it in `Last-Event-ID`. */
export function cursorOf({ id, openFrom, atMs }: LogPosition): string {
  return `${id}-${openFrom}-${atMs}`;
}

/** Null for a text that is no cursor. */
export function parseCursor(text: string): LogPosition | null {
  const match = /^(\d{1,15})-(\d{1,19})-(\d{1,15})$/.exec(text);
  return match && { id: Number(match[1]), openFrom: BigInt(match[2]!), atMs: Number(match[3]) };
}

function eventOf(row: Row & { id: number }): LoggedEvent {
  return {
    id: row.id,
    transaction: BigInt(row.xid),
    topic: row.topic,
    type: row.type,
    subjectId: row.subject_id,
    version: row.version,
    at: row.at,
  };
}
