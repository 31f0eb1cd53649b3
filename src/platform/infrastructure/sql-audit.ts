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
  override async record(actor: Actor, entry: AuditEntry): Promise<void> {
    const context = JSON.stringify(entry.context ?? {});
    if (!OPERATION.test(entry.operation)) throw new Error(`"${entry.operation}" is no audit operation.`);
    if (Buffer.byteLength(context) > CONTEXT_BYTES) {
      throw new Error(`The context of ${entry.operation} is larger than ${CONTEXT_BYTES} bytes.`);
    }
    const outcome = entry.outcome ?? 'success';
    const write = (): Promise<void> => this.insert(actor, entry, outcome, context);
    if (outcome === 'success') await write();
    else await this.database.outside(write);
  }

  private async insert(actor: Actor, entry: AuditEntry, outcome: string, context: string): Promise<void> {
    const connection = actor.kind === 'connection' ? actor : null;
    await this.database.hot(
      `INSERT INTO platform.audit_events (id, at, operation, outcome, actor_kind, actor_id, actor_name, channel,
         connection_id, agent_session_id, ip, subject_type, subject_id, project_id, context)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        this.ids.next(),
        this.clock.now(),
        entry.operation,
        outcome,
        actor.kind,
        personIdOf(actor),
        await this.nameOf(actor),
        entry.channel ?? channelOfRequest(actor),
        connection?.connectionId ?? null,
        connection?.agentSessionId ?? null,
        requestFacts()?.ip ?? null,
        entry.subjectType ?? null,
        entry.subjectId ?? null,
        entry.projectId ?? null,
        context,
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

/** A page of the web app and a page of the authorization server are two channels of one person. */
function channelOfRequest(actor: Actor): Channel {
  return actor.kind === 'person' ? (requestFacts()?.channel ?? 'web') : channelOf(actor);
}
