import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';

const PAGE = 50;
const CSV_PAGE = 1_000;
const CSV_MAX = 100_000;

export interface AuditFilter {
  /** Prefix of the name of the actor, without case. */
  readonly actor?: string;
  /** Prefix of the operation. */
  readonly operation?: string;
  readonly channel?: string;
  readonly outcome?: string;
  readonly project?: string;
  readonly subject?: string;
  /** ISO times; `from` is included, `to` is not. */
  readonly from?: string;
  readonly to?: string;
}

export interface AuditEventView {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly outcome: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly channel: string;
  readonly connectionId: string | null;
  readonly agentSessionId: string | null;
  readonly ip: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly projectId: string | null;
  readonly context: Record<string, unknown>;
}

interface Row {
  id: string;
  at: Date;
  operation: string;
  outcome: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  channel: string;
  connection_id: string | null;
  agent_session_id: string | null;
  ip: string | null;
  subject_type: string | null;
  subject_id: string | null;
  project_id: string | null;
  context: Record<string, unknown>;
}

/** The audit log, newest first, by cursor; no total, so that it stays fast at ten million rows. */
@Injectable()
export class ListAuditEvents {
  constructor(private readonly database: Database) {}

  /** @throws InvalidInput for a wrong filter or cursor. */
  async execute(
    actor: Actor,
    input: AuditFilter & { readonly cursor?: string },
  ): Promise<{ events: AuditEventView[]; nextCursor: string | null }> {
    requireAdmin(actor);
    const where = conditionsOf(input);
    const after = input.cursor ? parseCursor(input.cursor) : null;
    const rows = await this.page(where, after, PAGE + 1);
    const events = rows.slice(0, PAGE).map(viewOf);
    const last = events.at(-1);
    return { events, nextCursor: rows.length > PAGE && last ? cursorOf(last) : null };
  }

  /** Rows of the filtered list for a CSV file, at most 100,000, newest first. The filter is checked before the first. */
  rows(actor: Actor, filter: AuditFilter): AsyncIterable<AuditEventView> {
    requireAdmin(actor);
    const where = conditionsOf(filter);
    return this.pages(where);
  }

  private async *pages(where: Conditions): AsyncIterable<AuditEventView> {
    let after: { at: string; id: string } | null = null;
    for (let sent = 0; sent < CSV_MAX; ) {
      const rows = await this.page(where, after, Math.min(CSV_PAGE, CSV_MAX - sent));
      for (const row of rows) yield viewOf(row);
      const last = rows.at(-1);
      sent += rows.length;
      if (!last || rows.length < CSV_PAGE) return;
      after = { at: last.at.toISOString(), id: last.id };
    }
  }

  private page(
    { sql, parameters }: Conditions,
    after: { at: string; id: string } | null,
    limit: number,
  ): Promise<Row[]> {
    const all: unknown[] = [...parameters];
    let condition = sql;
    if (after) {
      all.push(after.at, after.id);
      condition += ` AND (at, id) < ($${all.length - 1}::timestamptz, $${all.length}::uuid)`;
    }
    all.push(limit);
    return this.database.query<Row>(
      `SELECT id, at, operation, outcome, actor_kind, actor_id, actor_name, channel, connection_id, agent_session_id,
              ip, subject_type, subject_id, project_id, context
       FROM platform.audit_events WHERE ${condition} ORDER BY at DESC, id DESC LIMIT $${all.length}`,
      all,
    );
  }
}

interface Conditions {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function conditionsOf(filter: AuditFilter): Conditions {
  const problems = new Problems();
  const sql = ['true'];
  const parameters: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    parameters.push(value);
    sql.push(condition.replace('?', `$${parameters.length}`));
  };
  if (filter.actor) add('lower(actor_name) LIKE ?', `${likePrefix(filter.actor.toLowerCase())}%`);
  if (filter.operation) add('operation LIKE ?', `${likePrefix(filter.operation)}%`);
  if (filter.channel) add('channel = ?', filter.channel);
  if (filter.outcome) add('outcome = ?', filter.outcome);
  if (filter.project) {
    if (isUuid(filter.project)) add('project_id = ?', filter.project.toLowerCase());
    else problems.add('project', 'must be a project id');
  }
  if (filter.subject) add('subject_id = ?', filter.subject);
  for (const [name, operator] of [
    ['from', '>='],
    ['to', '<'],
  ] as const) {
    const given = filter[name];
    if (!given) continue;
    const time = new Date(given);
    if (Number.isNaN(time.getTime())) problems.add(name, 'must be a time such as 2026-01-31T00:00:00Z');
    else add(`at ${operator} ?`, time.toISOString());
  }
  problems.throwIfAny();
  return { sql: sql.join(' AND '), parameters };
}

function likePrefix(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

function cursorOf({ at, id }: AuditEventView): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): { at: string; id: string } {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!isUuid(id) || Number.isNaN(Date.parse(at))) {
    throw new InvalidInput([
      { argument: 'cursor', sentence: 'is not a cursor of this list; take nextCursor of the last answer' },
    ]);
  }
  return { at, id };
}

function viewOf(row: Row): AuditEventView {
  return {
    id: row.id,
    at: row.at.toISOString(),
    operation: row.operation,
    outcome: row.outcome,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    channel: row.channel,
    connectionId: row.connection_id,
    agentSessionId: row.agent_session_id,
    ip: row.ip,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    projectId: row.project_id,
    context: row.context,
  };
}
