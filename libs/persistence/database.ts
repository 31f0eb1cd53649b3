import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import {
  DataSource,
  type EntityManager,
  QueryFailedError,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import { requireTimeLeft } from '#libs/kernel/deadline.js';
import { DomainError } from '#libs/kernel/errors.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { hasSavedChange, noteSavedChange, OUTCOME_UNKNOWN } from '#libs/kernel/saved-changes.js';
import { DatabasePulse } from './database-pulse.js';
import { HotConnections } from './hot-connections.js';

// Counts and sizes fit a double by far; strings for them would only be parsed by every reader.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const DEADLOCK = '40P01';
const DEADLOCK_RUNS = 3;
const DEADLOCK_PAUSE_MS = 50;
const READ_ONLY = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

const UNAVAILABLE = 'unavailable';

const STATEMENT_MILLISECONDS = 60_000;

interface RunningWork {
  readonly runner: QueryRunner;
  readonly afterCommit: (() => void | Promise<void>)[];
}

export interface DatabaseOptions {
  readonly url: string;
  readonly pool: number;
  readonly applicationName: string;
  /** Whether a connection stays with one client, so that it can keep prepared statements; default true. */
  readonly prepared?: boolean;
}

/**
 * The PostgreSQL of the product. Statements run on the transaction of the running unit of work, else on the pool.
 * @throws DomainError `unavailable` while the server cannot be reached; the pool recovers by itself.
 */
export class Database extends UnitOfWork {
  private readonly running = new AsyncLocalStorage<RunningWork>();

  private constructor(
    readonly source: DataSource,
    /** Null where a pooler stands between, which does not keep prepared statements. */
    private readonly hotConnections: HotConnections | null,
    private readonly pulse: DatabasePulse,
  ) {
    super();
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const shared = {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      options: `-c statement_timeout=${STATEMENT_MILLISECONDS} -c idle_in_transaction_session_timeout=${STATEMENT_MILLISECONDS}`,
    };
    const source = new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.applicationName,
      poolErrorHandler: () => undefined,
      extra: { max: options.pool, ...shared },
    });
    await source.initialize();
    const { url: connectionString, applicationName: application_name, prepared = true } = options;
    const hot = prepared ? new HotConnections({ connectionString, application_name, ...shared }) : null;
    const pulse = new DatabasePulse(poolOf(source), options.url, unavailable);
    return new Database(source, hot, pulse);
  }

  /** Rows of a statement, also of one with RETURNING. */
  async query<T = Record<string, unknown>>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const work = this.running.getStore();
    if (work) return structured<T>(work.runner, sql, parameters);
    return this.onPool<T>({ text: sql, values: [...parameters] });
  }

  /**
   * Like `query`, for the few quick statements that every request meets. They are prepared, and share two connections
   * that do not wait for one answer before the next question. The text must be a constant.
   */
  async hot<T = Record<string, unknown>>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const hot = this.hotConnections;
    if (!hot) return this.query<T>(sql, parameters);
    const statement = { text: sql, values: [...parameters], name: preparedName(sql) };
    const work = this.running.getStore();
    if (work) return prepared<T>(work.runner, statement);
    try {
      return (await this.pulse.during(() => hot.rows(statement))) as T[];
    } catch (error) {
      if (!(error instanceof DomainError)) {
        throw asRefusal(new QueryFailedError(sql, statement.values, error as Error));
      }
      // The server is silent; whoever asks next needs connections of their own.
      hot.cut();
      throw inDoubt(error);
    }
  }

  /** The first row, or null. */
  async one<T = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<T | null> {
    return (await this.query<T>(sql, parameters))[0] ?? null;
  }

  /** TypeORM's entry to the running transaction, or to the pool. */
  manager(): EntityManager {
    return this.running.getStore()?.runner.manager ?? this.source.manager;
  }

  /** Connections of the pool that somebody works on at this moment, at most `DATABASE_POOL`. */
  get connectionsInUse(): number {
    const { totalCount, idleCount } = poolOf(this.source);
    return totalCount - idleCount;
  }

  get inTransaction(): boolean {
    return this.running.getStore() !== undefined;
  }

  /** A transaction that PostgreSQL ends because two wait for each other is run again, twice at most. */
  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running.getStore()) return work();
    for (let run = 1; ; run += 1) {
      try {
        return await this.transaction(work, []);
      } catch (error) {
        if (sqlState(error) !== DEADLOCK || run === DEADLOCK_RUNS) throw error;
        // Whoever was let live takes its locks first; else the two could meet in the same way again.
        await new Promise((done) => setTimeout(done, DEADLOCK_PAUSE_MS));
      }
    }
  }

  /** Runs the statements of a query on one state of the database, so that a write between two of them shows in neither. */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(work, [READ_ONLY]);
  }

  private async transaction<T>(work: () => Promise<T>, settings: readonly string[]): Promise<T> {
    if (this.running.getStore()) return work();
    const progress = { committing: false };
    try {
      return await this.pulse.during(() => this.newTransaction(work, settings, progress));
    } catch (error) {
      throw progress.committing && isUnavailable(error) ? outcomeUnknown(error) : inDoubt(error);
    }
  }

  private async newTransaction<T>(
    work: () => Promise<T>,
    settings: readonly string[],
    progress: { committing: boolean },
  ): Promise<T> {
    const runner = this.source.createQueryRunner();
    const state: RunningWork = { runner, afterCommit: [] };
    let result: T;
    try {
      await runner.connect();
      await runner.startTransaction();
      for (const setting of settings) await runner.query(setting);
      result = await this.running.run(state, work);
      requireTimeLeft();
      if (!settings.includes(READ_ONLY)) {
        // From here on it may be saved, whatever answer comes.
        progress.committing = true;
        noteSavedChange();
      }
      await runner.commitTransaction();
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw asRefusal(error);
    } finally {
      await runner.release().catch(() => undefined);
    }
    for (const action of state.afterCommit) void this.running.exit(async () => action());
    return result;
  }

  /** Runs `work` on the pool, apart from the running transaction: it stays when that is rolled back. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.running.exit(work);
  }

  /** Undoes the writes of `work` alone when it fails, and goes on with the transaction. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.requireTransaction();
    const name = 'inner_work';
    await this.query(`SAVEPOINT ${name}`);
    try {
      const result = await work();
      await this.query(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      await this.query(`ROLLBACK TO SAVEPOINT ${name}`);
      throw error;
    }
  }

  override afterCommit(action: () => void | Promise<void>): void {
    const work = this.running.getStore();
    if (work) work.afterCommit.push(action);
    else void (async () => action())();
  }

  override requireTransaction(): void {
    if (!this.running.getStore()) throw new Error('No unit of work is running.');
  }

  /** Single statements go straight to the pool of the driver: a query runner for each would cost more than they do. */
  private async onPool<T>(statement: pg.QueryConfig): Promise<T[]> {
    try {
      const { rows } = await this.pulse.during(() => poolOf(this.source).query(statement));
      return (rows ?? []) as T[];
    } catch (error) {
      if (error instanceof DomainError) throw inDoubt(error);
      throw asRefusal(new QueryFailedError(statement.text, statement.values, error as Error));
    }
  }

  async close(): Promise<void> {
    this.pulse.stop();
    await this.hotConnections?.close();
    if (this.source.isInitialized) await this.source.destroy();
  }
}

function poolOf(source: DataSource): pg.Pool {
  return (source.driver as unknown as { readonly master: pg.Pool }).master;
}

const preparedNames = new Map<string, string>();

function preparedName(sql: string): string {
  let name = preparedNames.get(sql);
  if (!name) {
    name = `loupe_${preparedNames.size}`;
    preparedNames.set(sql, name);
  }
  return name;
}

async function structured<T>(runner: QueryRunner, sql: string, parameters: readonly unknown[]): Promise<T[]> {
  try {
    const result = await runner.query(sql, [...parameters], true);
    return (result.records ?? []) as T[];
  } catch (error) {
    throw asRefusal(error);
  }
}

async function prepared<T>(runner: QueryRunner, statement: pg.QueryConfig): Promise<T[]> {
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    return ((await client.query(statement)).rows ?? []) as T[];
  } catch (error) {
    throw asRefusal(new QueryFailedError(statement.text, statement.values, error as Error));
  }
}

/** SQLSTATE of an error of PostgreSQL, such as `23505` for a unique violation; null for anything else. */
export function sqlState(error: unknown): string | null {
  const code = (error as { driverError?: { code?: unknown }; code?: unknown } | null)?.driverError?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** Name of the constraint or index that a write broke, or null. */
export function brokenConstraint(error: unknown): string | null {
  const name = (error as { driverError?: { constraint?: unknown } } | null)?.driverError?.constraint;
  return typeof name === 'string' ? name : null;
}

/** SQLSTATE of a NUL in a text, and of one or half of a pair in JSON. */
const UNKEPT_TEXT = new Set(['22021', '22P05']);
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

function asRefusal(error: unknown): unknown {
  const cause = (error as { driverError?: unknown } | null)?.driverError ?? error;
  const code = (cause as { code?: unknown } | null)?.code;
  const message = cause instanceof Error ? cause.message : '';
  const away =
    (typeof code === 'string' && (AWAY.has(code) || code.startsWith('08'))) ||
    // The library gives a connection up when it breaks, between two statements of a transaction.
    cause instanceof QueryRunnerAlreadyReleasedError ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    );
  const unkept = typeof code === 'string' && UNKEPT_TEXT.has(code);
  if (!away && !unkept) return error;
  const refusal = away ? unavailable() : unkeptText();
  refusal.cause = error;
  return inDoubt(refusal);
}

/** The server went while it was asked to commit, or after it had: nobody should try again without a look. */
function outcomeUnknown(cause: unknown): DomainError {
  const refusal = new DomainError(
    'unavailable',
    OUTCOME_UNKNOWN,
    'The database went away while the change was being saved. Look whether it is there before you try again.',
  );
  refusal.cause = cause;
  return refusal;
}

/** What forms and addresses have let through and PostgreSQL cannot keep is a mistake of whoever sent it, no fault. */
function unkeptText(): DomainError {
  return new DomainError(
    'invalid',
    'invalid_text',
    'A text holds a character that cannot be kept, such as NUL or half of a pair. Take it out and try again.',
  );
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === UNAVAILABLE;
}

/** A request that has saved something must not be told to try again. */
function inDoubt(error: unknown): unknown {
  return hasSavedChange() && isUnavailable(error) ? outcomeUnknown(error) : error;
}

function unavailable(): DomainError {
  return new DomainError(
    'unavailable',
    UNAVAILABLE,
    'The database cannot be reached. Try again in a few seconds.',
    { retryAfterSeconds: 5 },
  );
}
