import type { Actor } from '#libs/kernel/actor.js';
import type { EventActor } from '#libs/kernel/domain-event.js';

export type HistoryKind =
  | 'created'
  | 'moved'
  | 'fix-requested'
  | 'stopped'
  | 'ready-to-merge'
  | 'synced'
  | 'run-finished'
  | 'paused'
  | 'pause-released'
  | 'held'
  | 'released'
  | 'verdict'
  | 'parent-changed'
  | 'artifact-linked'
  | 'artifact-unlinked';

export type HistoryActorKind = 'human' | 'agent' | 'reviewer' | 'system';

/** A row of the history of a card; never changed afterwards, but for the names of people who left. */
export interface HistoryRow {
  readonly id: string;
  readonly cardId: string;
  readonly projectId: string;
  readonly kind: HistoryKind;
  readonly occurredAt: Date;
  readonly actorKind: HistoryActorKind;
  readonly actorUserId: string | null;
  readonly runId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** How an entry of the history names who did it. */
export function historyActorOf(actor: Actor): { kind: HistoryActorKind; userId: string | null } {
  if (actor.kind === 'person') return { kind: 'human', userId: actor.personId };
  if (actor.kind === 'connection')
    return { kind: actor.channel === 'widget' ? 'reviewer' : 'agent', userId: actor.personId };
  return { kind: 'system', userId: null };
}

/** The same of what another part of the product did; `personId` is who did it, or whom the agent works for. */
export function historyActorOfEvent(
  actor: EventActor,
  personId: unknown,
): { kind: HistoryActorKind; userId: string | null } {
  const userId = typeof personId === 'string' ? personId : null;
  if (actor.kind === 'person') return { kind: 'human', userId };
  return actor.kind === 'connection' ? { kind: 'agent', userId } : { kind: 'system', userId: null };
}

/** A column as history keeps it, with the names of that time. */
export function columnThen(column: { id: string; slug: string; label: string }) {
  return { id: column.id, slug: column.slug, label: column.label };
}
