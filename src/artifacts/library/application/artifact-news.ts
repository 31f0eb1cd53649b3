import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';

/** What open pages are told; they refetch what they show. */
export type ArtifactNewsKind = 'artifact' | 'version' | 'list' | 'cards' | 'workspaces';

interface Subject {
  readonly id: string;
  readonly projectId: string;
}

export interface ArtifactChange {
  readonly events?: readonly {
    readonly type: string;
    readonly payload?: Readonly<Record<string, unknown>>;
  }[];
  readonly audit?: readonly {
    readonly operation: string;
    readonly subjectType?: string;
    readonly context?: Readonly<Record<string, unknown>>;
  }[];
  readonly live?: readonly ArtifactNewsKind[];
  /** Of the version that the live updates name. */
  readonly version?: number;
}

/** Tells the outbox, the audit log and open pages what happened to an artifact, in the running transaction. */
@Injectable()
export class ArtifactNews {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  async tell(actor: Actor, { id, projectId }: Subject, change: ArtifactChange): Promise<void> {
    const events = (change.events ?? []).map(({ type, payload }) => ({
      type,
      aggregateId: id,
      projectId,
      payload: { artifactId: id, ...payload },
    }));
    if (events.length > 0) await this.outbox.publish(actor, ...events);
    for (const entry of change.audit ?? []) {
      await this.audit.record(actor, { subjectType: 'artifact', subjectId: id, projectId, ...entry });
    }
    const version = change.version === undefined ? {} : { version: change.version };
    for (const type of change.live ?? []) {
      await this.live.publish(`project:${projectId}:artifacts`, { type, subjectId: id, ...version });
    }
  }
}
