/** Places that every board has and that are no slots, though rules name them like slots. */
export const BACKLOG = '@backlog';
export const TERMINAL = '@terminal';

/** A slot key, `@backlog` or `@terminal`. */
export type PlaceName = string;

/** Markers that Loupe brings for every template (`board.md` 6); a template adds others under other keys. */
export const STANDARD_MARKERS: readonly string[] = [
  'paused',
  'run-stopped',
  'conflicting',
  'checks-failed',
  'ready-not-merged',
  'nothing-happened',
  'document-in-review',
  'waits-for-approval',
  'open-question',
  'session-open',
  'run-open',
  'work-requested',
  'forge-request-pending',
  'waiting-on-checks',
  'held-by-blocker',
];

/** What Loupe can write to a forge. */
export const FORGE_WRITES: readonly string[] = [
  'merge',
  'update-branch',
  'change-base',
  'open-epic',
  'draft',
  'ready',
  'close',
  'post-review',
  'site-review-check',
  'agent-review-check',
];
