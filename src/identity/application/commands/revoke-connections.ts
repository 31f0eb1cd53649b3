import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { RevokeReason } from '../../domain/connection.js';
import { type ConnectionSelection, Connections } from '../ports/connections.js';

export interface RevokeConnectionsInput {
  readonly selection: ConnectionSelection;
  readonly reason: RevokeReason;
}

/**
 * Ends connections for good. It decides nothing about who may ask: the callers are other use cases of this context, the
 * authorization server and reactions. Repeating it is harmless.
 */
@Injectable()
export class RevokeConnections {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly connections: Connections,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly signals: Signals,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {}

  /** @returns how many ended by this call. */
  execute(actor: Actor, { selection, reason }: RevokeConnectionsInput): Promise<number> {
    return this.unitOfWork.run(async () => {
      const ended = (await this.connections.lock(selection)).filter((connection) =>
        connection.revoke(reason, personIdOf(actor), this.clock.now()),
      );
      const people = new Set<string>();
      for (const connection of ended) {
        const { id, personId, projectId, clientId } = connection.state;
        people.add(personId);
        await this.connections.save(connection);
        await this.outbox.publish(actor, {
          type: 'ConnectionRevoked',
          aggregateId: id,
          projectId,
          personId,
          payload: { connectionId: id, personId, projectId, reason },
        });
        await this.audit.record(actor, {
          operation: 'connection.revoked',
          subjectType: 'connection',
          subjectId: id,
          projectId,
          context: { clientId, reason },
        });
        await this.signals.publish('access', { connectionId: id, personId, cause: 'ConnectionRevoked' });
      }
      for (const personId of people) {
        await this.live.publish(`me:${personId}`, { type: 'connections', subjectId: personId });
      }
      return ended.length;
    });
  }
}
