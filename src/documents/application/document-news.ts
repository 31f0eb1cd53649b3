import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import type { Document } from '../domain/document.js';

/** What open pages are told; they refetch what they show. */
export type DocumentNewsKind =
  | 'version'
  | 'status'
  | 'thread'
  | 'decision'
  | 'section'
  | 'highlights'
  | 'agent-review'
  | 'list';

export interface DocumentChange {
  /** Events of the catalogue, with what they carry beyond document and version. */
  readonly events?: readonly {
    readonly type: string;
    readonly payload?: Readonly<Record<string, unknown>>;
  }[];
  /** One audit record each. */
  readonly audit?: readonly {
    readonly operation: string;
    /** What of the document it is about, whose id then stands in the context; without it the document itself. */
    readonly subject?: { readonly type: 'comment' | 'verdict' | 'agent_review'; readonly id: string };
    readonly context?: Readonly<Record<string, unknown>>;
  }[];
  readonly live?: readonly DocumentNewsKind[];
}

/** Tells the outbox, the audit log and open pages what happened to a document, in the running transaction. */
@Injectable()
export class DocumentNews {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  async tell(actor: Actor, document: Document, change: DocumentChange): Promise<void> {
    const { id, projectId, version } = document;
    const events = (change.events ?? []).map(({ type, payload }) => ({
      type,
      aggregateId: id,
      projectId,
      payload: { documentId: id, versionNumber: version, ...payload },
    }));
    if (events.length > 0) await this.outbox.publish(actor, ...events);
    for (const { operation, subject, context } of change.audit ?? []) {
      await this.audit.record(actor, {
        operation,
        subjectType: subject?.type ?? 'document',
        subjectId: subject?.id ?? id,
        projectId,
        context: subject ? { documentId: id, ...context } : context,
      });
    }
    for (const type of change.live ?? [])
      await this.live.publish(`project:${projectId}:documents`, { type, subjectId: id, version });
  }
}
