import type { Database } from '#libs/persistence/database.js';

const STEP_GROWTH = 5;

/** How much one search may do. */
export interface SearchEffort {
  /** A set of fewer rows is read whole: whatever else is asked of them, that is quick. */
  readonly narrow: number;
  /** Rows that the first step of the walk looks at: few, as most filters match soon. */
  readonly firstStep: number;
  readonly longestStep: number;
  /** No further step begins after this time. */
  readonly budgetMs: number;
}

const EFFORT: SearchEffort = { narrow: 5_000, firstStep: 200, longestStep: 10_000, budgetMs: 60 };

const COLUMNS = `id, at, operation, outcome, actor_kind, actor_id, actor_name, channel, connection_id, agent_session_id,
  ip, subject_type, subject_id, project_id, context`;

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly operation: string;
  readonly outcome: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly channel: string;
  readonly connection_id: string | null;
  readonly agent_session_id: string | null;
  readonly ip: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly project_id: string | null;
  readonly context: Record<string, unknown>;
}

/** A place in the log, whose order is by time and then id, both falling. */
export interface Place {
  readonly at: string;
  readonly id: string;
}

/** Checked filters. `actor` and `operation` are patterns of LIKE, `from` is included and `to` is not. */
export interface AuditConditions {
  readonly actor?: string;
  readonly operation?: string;
  readonly channel?: string;
  readonly outcome?: string;
  readonly project?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
}

type Name = keyof AuditConditions;

const SQL: Readonly<Record<Name, (parameter: string) => string>> = {
  actor: (p) => `lower(actor_name) LIKE ${p}`,
  operation: (p) => `operation LIKE ${p}`,
  channel: (p) => `channel = ${p}`,
  outcome: (p) => `outcome = ${p}`,
  project: (p) => `project_id = ${p}::uuid`,
  subject: (p) => `subject_id = ${p}`,
  from: (p) => `at >= ${p}::timestamptz`,
  to: (p) => `at < ${p}::timestamptz`,
};

/** Conditions that one index answers: the bounds of time go together. */
const SETS: readonly (readonly Name[])[] = [
  ['subject'],
  ['project'],
  ['actor'],
  ['operation'],
  ['outcome'],
  ['channel'],
  ['from', 'to'],
];

/** Equalities whose index is in the order of the log, the rarer ones first. */
const WALKS: readonly Name[] = ['subject', 'project', 'outcome', 'channel'];

export interface FoundRows {
  readonly rows: readonly AuditRow[];
  /** Where the search ended before it had enough; null at the end of the log. */
  readonly searchedTo: Place | null;
}

/**
 * Finds rows of the audit log in bounded time, whatever is asked for. No index serves every combination of filters, and a
 * planner that guesses wrong reads millions of rows to find none. So it is not left to guess: when one of the conditions
 * alone leaves a few thousand rows, those are read; else the log is walked from its young end in steps, until enough was
 * found or the time is up.
 */
export class AuditSearch {
  constructor(
    private readonly database: Database,
    private readonly effort = EFFORT,
  ) {}

  async page(conditions: AuditConditions, after: Place | null, wanted: number): Promise<FoundRows> {
    const narrow = await this.narrowSet(conditions);
    if (narrow) return { rows: await this.read(conditions, narrow, after, wanted), searchedTo: null };
    return this.walk(conditions, after, wanted);
  }

  /** The smallest of the sets that are small; null when all are large. */
  private async narrowSet(conditions: AuditConditions): Promise<readonly Name[] | null> {
    const given = SETS.map((set) => set.filter((name) => conditions[name] !== undefined)).filter(
      (set) => set.length > 0,
    );
    if (given.length === 0) return null;
    const { narrow } = this.effort;
    const statement = new Statement(conditions);
    const counts = given.map(
      (set, at) =>
        `(SELECT count(*) FROM (SELECT 1 FROM platform.audit_events WHERE ${statement.all(set)} LIMIT ${narrow}) s)
         AS "${at}"`,
    );
    const sizes = await this.database.one<Record<string, number>>(
      `SELECT ${counts.join(', ')}`,
      statement.parameters,
    );
    const order = given
      .map((set, at) => ({ set, size: sizes![at]! }))
      .filter(({ size }) => size < narrow)
      .sort((a, b) => a.size - b.size);
    return order[0]?.set ?? null;
  }

  private read(
    conditions: AuditConditions,
    set: readonly Name[],
    after: Place | null,
    wanted: number,
  ): Promise<AuditRow[]> {
    const statement = new Statement(conditions);
    const others = statement.names.filter((name) => !set.includes(name));
    // OFFSET 0: first the small set, then the rest; the planner may not turn that round.
    return this.database.query<AuditRow>(
      `SELECT * FROM (SELECT ${COLUMNS} FROM platform.audit_events WHERE ${statement.all(set)} OFFSET 0) AS s
       WHERE ${statement.all(others)} AND ${statement.beyond(after)}
       ORDER BY at DESC, id DESC LIMIT ${wanted}`,
      statement.parameters,
    );
  }

  private async walk(conditions: AuditConditions, after: Place | null, wanted: number): Promise<FoundRows> {
    const { firstStep, longestStep, budgetMs } = this.effort;
    const end = performance.now() + budgetMs;
    const rows: AuditRow[] = [];
    let place = after;
    for (let step = Math.max(firstStep, wanted); ; step = Math.min(step * STEP_GROWTH, longestStep)) {
      const one = await this.step(conditions, place, step, wanted - rows.length);
      rows.push(...one.rows);
      if (rows.length === wanted || one.last === null) return { rows, searchedTo: null };
      place = one.last;
      if (performance.now() > end) return { rows, searchedTo: place };
    }
  }

  /** Looks at the next `length` rows. `last` is the oldest of them, or null when the log ends before. */
  private async step(
    conditions: AuditConditions,
    after: Place | null,
    length: number,
    wanted: number,
  ): Promise<{ rows: AuditRow[]; last: Place | null }> {
    const statement = new Statement(conditions);
    const along = WALKS.find((name) => conditions[name] !== undefined);
    const walked = statement.names.filter((name) => name === along || name === 'from' || name === 'to');
    const others = statement.names.filter((name) => !walked.includes(name));
    const found = await this.database.query<AuditRow & { walked: number; end_at: Date; end_id: string }>(
      `WITH step AS MATERIALIZED (
         SELECT ${COLUMNS} FROM platform.audit_events
         WHERE ${statement.all(walked)} AND ${statement.beyond(after)}
         ORDER BY at DESC, id DESC LIMIT ${length})
       SELECT (SELECT count(*) FROM step) AS walked, edge.at AS end_at, edge.id AS end_id, found.*
       FROM (SELECT at, id FROM step ORDER BY at, id LIMIT 1) AS edge
       LEFT JOIN LATERAL (
         SELECT * FROM step WHERE ${statement.all(others)} ORDER BY at DESC, id DESC LIMIT ${wanted}) AS found ON true
       ORDER BY found.at DESC, found.id DESC`,
      statement.parameters,
    );
    const [first] = found;
    const complete = first === undefined || first.walked < length;
    return {
      rows: found.filter(({ id }) => id !== null),
      last: complete ? null : { at: first.end_at.toISOString(), id: first.end_id },
    };
  }
}

/** Numbers the parameters of one statement. */
class Statement {
  readonly parameters: unknown[] = [];
  readonly names: readonly Name[];

  constructor(private readonly conditions: AuditConditions) {
    this.names = (Object.keys(SQL) as Name[]).filter((name) => conditions[name] !== undefined);
  }

  all(names: readonly Name[]): string {
    const parts = names.map((name) => SQL[name](this.parameter(this.conditions[name])));
    return parts.length > 0 ? parts.join(' AND ') : 'true';
  }

  /** Older than a place. */
  beyond(after: Place | null): string {
    if (after === null) return 'true';
    return `(at, id) < (${this.parameter(after.at)}::timestamptz, ${this.parameter(after.id)}::uuid)`;
  }

  private parameter(value: unknown): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }
}
