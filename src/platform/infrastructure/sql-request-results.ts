import { Injectable, Logger } from '@nestjs/common';
import { conflict, DomainError } from '#libs/kernel/errors.js';
import { type KeptResult, type RequestKey, RequestResults } from '#libs/kernel/ports/request-results.js';
import { OUTCOME_UNKNOWN } from '#libs/kernel/saved-changes.js';
import { Database } from '#libs/persistence/database.js';

const KEEP = "interval '10 minutes'";
const WAIT_MS = 60_000;
/** A call is cut off after 60 s, so a claim without a result for longer belongs to a process that is gone. */
const ABANDONED_SECONDS = 75;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** The claim that was made at that time, and no later one of the same id. */
const OF_CALL = `principal = $1 AND project_id = $2 AND request_id = $3 AND claimed_at = $4::timestamptz
  AND finished_at IS NULL`;
const FINISHED = `UPDATE platform.request_results SET finished_at = now(), result = $5 WHERE ${OF_CALL}`;
const GIVEN_BACK = `DELETE FROM platform.request_results WHERE ${OF_CALL}`;
/** It counts as that of a process that is gone: running the call again could act twice. */
const CUT_OFF = `UPDATE platform.request_results
  SET claimed_at = least(claimed_at, now() - make_interval(secs => ${ABANDONED_SECONDS + 1})) WHERE ${OF_CALL}`;

interface Row {
  operation: string;
  arguments_hash: string;
  finished: boolean;
  abandoned: boolean;
  /** JSON of `{ value }`. */
  result: string | null;
}

/**
 * Kept results in PostgreSQL: the claim is a row of its own transaction, so it holds across replicas. Its statements go
 * past the pool: where a crowd waits for a connection, a claim that could not be given back would refuse all repeats.
 */
@Injectable()
export class SqlRequestResults extends RequestResults {
  private readonly logger = new Logger('request-results');

  constructor(private readonly database: Database) {
    super();
  }

  override async once<T>(key: RequestKey, work: () => Promise<T>): Promise<KeptResult<T>> {
    const end = Date.now() + WAIT_MS;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const claimedAt = await this.claim(key);
      if (claimedAt !== null) {
        return { result: await this.runAndKeep([...keyOf(key), claimedAt], work), repeated: false };
      }
      const row = await this.find(key);
      // It was given back, or it ran out, between the two statements.
      if (!row) continue;
      if (row.operation !== key.operation || row.arguments_hash !== key.argumentsHash) {
        throw conflict(
          'request_id_reused',
          'This Loupe-Request-Id was used for another request. Send a new id with a new request.',
        );
      }
      if (row.finished) return { result: keptValue<T>(row.result), repeated: true };
      if (row.abandoned) {
        throw conflict(
          'outcome_unknown',
          'The first call with this Loupe-Request-Id was cut off. Look whether its change is there, and repeat it with a new id if not.',
        );
      }
      if (Date.now() + pause > end) {
        throw new DomainError(
          'unavailable',
          'still_running',
          'The first call with this Loupe-Request-Id still runs. Repeat it in a few seconds.',
          { retryAfterSeconds: 5 },
        );
      }
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Takes away what is older than 10 minutes. */
  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM platform.request_results WHERE claimed_at < now() - ${KEEP}`);
  }

  /** @returns the time of the claim, to the microsecond; null when there is one already */
  private async claim(key: RequestKey): Promise<string | null> {
    const [claimed] = await this.database.outside(() =>
      this.database.hot<{ at: string }>(
        `INSERT INTO platform.request_results AS r (principal, project_id, request_id, operation, arguments_hash)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (principal, project_id, request_id) DO UPDATE
           SET operation = excluded.operation, arguments_hash = excluded.arguments_hash,
               claimed_at = now(), finished_at = NULL, result = NULL
           WHERE r.claimed_at < now() - ${KEEP}
         RETURNING claimed_at::text AS at`,
        [...keyOf(key), key.operation, key.argumentsHash],
      ),
    );
    return claimed?.at ?? null;
  }

  private async runAndKeep<T>(claim: readonly string[], work: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work();
    } catch (error) {
      const unknown = error instanceof DomainError && error.code === OUTCOME_UNKNOWN;
      await this.settle(claim, unknown ? CUT_OFF : GIVEN_BACK);
      throw error;
    }
    await this.settle(claim, FINISHED, JSON.stringify({ value: result }));
    return result;
  }

  /** Says what became of a claim. A database that is away hears of it when it is back: repeats wait for that. */
  private async settle(claim: readonly string[], how: string, ...more: readonly unknown[]): Promise<void> {
    const say = () => this.database.outside(() => this.database.hot(how, [...claim, ...more]));
    try {
      await say();
    } catch (error) {
      this.logger.warn({
        msg: 'What became of a repeatable call could not be noted; it is tried again',
        // The error itself would carry the result, which is text of people.
        reason: error instanceof Error ? error.message : String(error),
      });
      void sayLater(say);
    }
  }

  private async find(key: RequestKey): Promise<Row | null> {
    const [row] = await this.database.outside(() =>
      this.database.hot<Row>(
        `SELECT operation, arguments_hash, finished_at IS NOT NULL AS finished, result,
                finished_at IS NULL AND claimed_at < now() - make_interval(secs => ${ABANDONED_SECONDS}) AS abandoned
         FROM platform.request_results
         WHERE principal = $1 AND project_id = $2 AND request_id = $3 AND claimed_at >= now() - ${KEEP}`,
        keyOf(key),
      ),
    );
    return row ?? null;
  }
}

async function sayLater(say: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + ABANDONED_SECONDS * 1_000; Date.now() < end; ) {
    await new Promise((done) => setTimeout(done, LONGEST_PAUSE_MS).unref());
    const said = await say().then(
      () => true,
      () => false,
    );
    if (said) return;
  }
}

function keptValue<T>(kept: string | null): T {
  return (JSON.parse(kept ?? '{}') as { value: T }).value;
}

function keyOf(key: RequestKey): [string, string, string] {
  return [key.principal, key.projectId ?? '', key.requestId];
}
