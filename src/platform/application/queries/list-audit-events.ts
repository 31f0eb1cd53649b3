import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';
import { type AuditConditions, type AuditRow, AuditSearch, type Place } from './audit-search.js';

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

export interface AuditPage {
  /** Newest first; fewer than a page where a rare filter needs a longer search, see `nextCursor`. */
  readonly events: AuditEventView[];
  /** Where to go on; null at the end of the log. It may stand after an empty list: nothing matched so far. */
  readonly nextCursor: string | null;
  /** Everything younger than this has been looked through; null at the end of the log. */
  readonly searchedTo: string | null;
}

/**
 * The audit log, newest first, by cursor; no total, so that it stays fast at ten million rows. A page takes no longer when
 * its filters match next to nothing: then it ends early, and the next one goes on from there (decision 0570).
 */
@Injectable()
export class ListAuditEvents {
  private readonly search: AuditSearch;

  constructor(database: Database) {
    this.search = new AuditSearch(database);
  }

  /** @throws InvalidInput for a wrong filter or cursor. */
  async execute(actor: Actor, input: AuditFilter & { readonly cursor?: string }): Promise<AuditPage> {
    requireAdmin(actor);
    const conditions = conditionsOf(input);
    const after = input.cursor ? parseCursor(input.cursor) : null;
    const { rows, searchedTo } = await this.search.page(conditions, after, PAGE + 1);
    const events = rows.slice(0, PAGE).map(viewOf);
    const last = events.at(-1);
    const place = rows.length > PAGE && last ? last : searchedTo;
    return { events, nextCursor: place && cursorOf(place), searchedTo: place?.at ?? null };
  }

  /** Rows of the filtered list for a CSV file, at most 100,000, newest first. The filter is checked before the first. */
  rows(actor: Actor, filter: AuditFilter): AsyncIterable<AuditEventView> {
    requireAdmin(actor);
    return this.pages(conditionsOf(filter));
  }

  private async *pages(conditions: AuditConditions): AsyncIterable<AuditEventView> {
    let after: Place | null = null;
    for (let sent = 0; sent < CSV_MAX; ) {
      const wanted = Math.min(CSV_PAGE, CSV_MAX - sent);
      const { rows, searchedTo } = await this.search.page(conditions, after, wanted);
      for (const row of rows) yield viewOf(row);
      sent += rows.length;
      const last = rows.at(-1);
      after = rows.length === wanted && last ? { at: last.at.toISOString(), id: last.id } : searchedTo;
      if (after === null) return;
    }
  }
}

function conditionsOf(filter: AuditFilter): AuditConditions {
  const problems = new Problems();
  const conditions: { -readonly [name in keyof AuditConditions]: AuditConditions[name] } = {};
  if (filter.actor) conditions.actor = `${likePrefix(filter.actor.toLowerCase())}%`;
  if (filter.operation) conditions.operation = `${likePrefix(filter.operation)}%`;
  if (filter.channel) conditions.channel = filter.channel;
  if (filter.outcome) conditions.outcome = filter.outcome;
  if (filter.project) {
    if (isUuid(filter.project)) conditions.project = filter.project.toLowerCase();
    else problems.add('project', 'must be a project id');
  }
  if (filter.subject) conditions.subject = filter.subject;
  for (const name of ['from', 'to'] as const) {
    const given = filter[name];
    if (!given) continue;
    const time = new Date(given);
    if (Number.isNaN(time.getTime())) problems.add(name, 'must be a time such as 2026-01-31T00:00:00Z');
    else conditions[name] = time.toISOString();
  }
  problems.throwIfAny();
  return conditions;
}

function likePrefix(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

function cursorOf({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): Place {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!isUuid(id) || Number.isNaN(Date.parse(at))) {
    throw new InvalidInput([
      { argument: 'cursor', sentence: 'is not a cursor of this list; take nextCursor of the last answer' },
    ]);
  }
  return { at, id };
}

function viewOf(row: AuditRow): AuditEventView {
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
