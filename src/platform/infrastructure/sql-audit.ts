import { Injectable, Logger } from '@nestjs/common';
import { type Actor, type Channel, channelOf, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit, type AuditEntry } from '#libs/kernel/ports/audit.js';
import { requestFacts } from '#libs/kernel/request-context.js';
import { Database } from '#libs/persistence/database.js';
import { ActorNames } from '../application/ports/actor-names.js';

const OPERATION = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const CONTEXT_BYTES = 4_096;

/**
 * Writes a record in the transaction of the change. Refusals and failures are written on their own, so they stay when
 * the transaction that was refused is rolled back.
 */
@Injectable()
export class SqlAudit extends Audit {
  private readonly logger = new Logger('audit');

  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly names: ActorNames,
  ) {
    super();
  }

  /** @throws Error for an operation of another form, or a context above 4 KB. */
  override async record(actor: Actor, ...entries: AuditEntry[]): Promise<void> {
    const contexts = new Map(entries.map((entry) => [entry, contextOf(entry)]));
    const [done, others] = [entries.filter(succeeded), entries.filter((entry) => !succeeded(entry))];
    if (done.length > 0) await this.insert(actor, done, contexts);
    if (others.length > 0) await this.database.outside(() => this.insert(actor, others, contexts));
  }

  /** One statement for all of them: a change of thousands of cards is recorded for each. */
  private async insert(
    actor: Actor,
    entries: readonly AuditEntry[],
    contexts: ReadonlyMap<AuditEntry, string>,
  ): Promise<void> {
    const connection = actor.kind === 'connection' ? actor : null;
    const channel = channelOfRequest(actor);
    await this.database.hot(
      `INSERT INTO platform.audit_events (id, at, operation, outcome, actor_kind, actor_id, actor_name, channel,
         connection_id, agent_session_id, ip, subject_type, subject_id, project_id, context)
       SELECT e.id, $1, e.operation, e.outcome, $2, $3, $4, e.channel, $5, $6, $7, e.subject_type, e.subject_id,
              e.project_id, e.context
         FROM unnest($8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::uuid[], $15::jsonb[])
              AS e (id, operation, outcome, channel, subject_type, subject_id, project_id, context)`,
      [
        this.clock.now(),
        actor.kind,
        personIdOf(actor),
        await this.nameOf(actor),
        connection?.connectionId ?? null,
        connection?.agentSessionId ?? null,
        requestFacts()?.ip ?? null,
        entries.map(() => this.ids.next()),
        entries.map((entry) => entry.operation),
        entries.map((entry) => entry.outcome ?? 'success'),
        entries.map((entry) => entry.channel ?? channel),
        entries.map((entry) => entry.subjectType ?? null),
        entries.map((entry) => entry.subjectId ?? null),
        entries.map((entry) => entry.projectId ?? null),
        entries.map((entry) => contexts.get(entry)),
      ],
    );
  }

  private async nameOf(actor: Actor): Promise<string | null> {
    if (actor.kind === 'console') return actor.osUser;
    if (actor.kind === 'system') return actor.jobName;
    try {
      const app = actor.kind === 'connection' ? await this.names.connectionName(actor.connectionId) : null;
      const person = (await this.names.personNames([actor.personId])).get(actor.personId) ?? null;
      return app !== null && person !== null ? `${person} (${app})` : (person ?? app);
    } catch (error) {
      // A failed statement spoils the running transaction; only then would hiding the error hide a lost change.
      if (this.database.inTransaction) throw error;
      this.logger.warn({ msg: 'The name of an actor could not be read', err: error });
      return null;
    }
  }
}

function succeeded(entry: AuditEntry): boolean {
  return (entry.outcome ?? 'success') === 'success';
}

function contextOf(entry: AuditEntry): string {
  const context = JSON.stringify(entry.context ?? {});
  if (!OPERATION.test(entry.operation)) throw new Error(`"${entry.operation}" is no audit operation.`);
  if (Buffer.byteLength(context) > CONTEXT_BYTES) {
    throw new Error(`The context of ${entry.operation} is larger than ${CONTEXT_BYTES} bytes.`);
  }
  return context;
}

/** A page of the web app and a page of the authorization server are two channels of one person. */
function channelOfRequest(actor: Actor): Channel {
  return actor.kind === 'person' ? (requestFacts()?.channel ?? 'web') : channelOf(actor);
}
