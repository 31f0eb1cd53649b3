import type { HistoryEvent } from '../types';

const CAUSES: Readonly<Record<string, string>> = {
  merged: 'its pull request was merged',
  'document-approved': 'its document was approved',
  'new-child': 'a child was added',
  'column-deleted': 'its column was deleted',
  'report-approved': 'its report was approved',
};

const FIX_REASONS: Readonly<Record<string, string>> = {
  conflict: 'it conflicts with its base',
  'checks-failed': 'checks failed',
  'changes-requested': 'changes were requested',
  'review-findings': 'the review found something',
};

/** Who did it, as the timeline names them. */
export function actorName({ actor }: HistoryEvent): string {
  if (actor.kind === 'system') return 'Loupe';
  if (actor.kind === 'reviewer') return actor.name ?? 'A reviewer';
  return actor.name ?? 'Deleted person';
}

/** What happened, after the name of who did it. */
export function eventWords(event: HistoryEvent): string {
  const pull = event.pullRequest?.number ? `pull request #${event.pullRequest.number}` : 'a pull request';
  switch (event.kind) {
    case 'created':
      return event.to ? `added the card in ${event.to.label}` : 'added the card';
    case 'moved': {
      const way = `moved the card from ${event.from?.label ?? 'a column'} to ${event.to?.label ?? 'a column'}`;
      const cause = event.cause === null ? undefined : CAUSES[event.cause];
      if (cause) return `${way}, because ${cause}`;
      return event.cause?.startsWith('rule:') ? `${way}, by a rule of the workflow` : way;
    }
    case 'fix-requested':
      return `asked for a fix of ${pull}, because ${FIX_REASONS[event.reason ?? ''] ?? 'it is needed'}`;
    case 'stopped':
      return `stopped asking for work${event.reason ? `: ${event.reason}` : ''}`;
    case 'ready-to-merge':
      return `found ${pull} ready to merge`;
    case 'synced':
      return `brought ${pull} up to date`;
    case 'run-finished':
      return `finished a run${event.run?.name ? ` of ${event.run.name}` : ''}${event.run?.state ? `, ${event.run.state}` : ''}`;
    case 'paused':
      return `paused the card${event.pause?.reason ? `: ${event.pause.reason}` : ''}`;
    case 'pause-released':
      return 'ended the pause';
    case 'held':
      return 'made the card unmanaged';
    case 'released':
      return 'had the card managed again';
    case 'verdict':
      return `reviewed ${pull}${event.reason ? `: ${event.reason}` : ''}`;
    case 'parent-changed':
      if (!event.toParent) return `took the card out of #${event.fromParent?.number ?? '?'}`;
      return event.fromParent
        ? `moved the card from #${event.fromParent.number} to #${event.toParent.number}`
        : `made the card part of #${event.toParent.number}`;
    case 'artifact-linked':
      return 'linked an artifact';
    case 'artifact-unlinked':
      return 'took an artifact away';
    default:
      return event.kind.replaceAll('-', ' ');
  }
}
