import type { Action } from './action.js';
import type { Condition } from './condition.js';
import type { WorkflowRule, WorkKind } from './workflow-template.js';

const when = (fact: string): Condition => ({ fact, parameters: {}, known: true });

const rule = (
  id: string,
  slots: WorkflowRule['slots'],
  fact: string,
  actions: WorkflowRule['actions'],
): WorkflowRule => ({ id, slots, when: when(fact), actions, whilePaused: false, keepTruth: false });

/** Kinds of work that Loupe adds to every template. */
export const APP_KINDS: readonly WorkKind[] = [
  {
    key: 'discovery',
    label: 'Discovery',
    role: 'discovery',
    capability: null,
    onTimeout: 'expire',
    checks: [],
  },
];

/** Rules that Loupe adds to every template; they cannot be removed (`workflow.md` 4.3). */
export const APP_RULES: readonly WorkflowRule[] = [
  rule('app-discovery', ['@backlog'], 'discovery.requested', [
    { action: 'request', kind: 'discovery', limit: null, refillWhen: null, document: null },
  ]),
  rule('app-post-verdict', null, 'verdict.unsent', [
    { action: 'write', write: 'post-review', fallback: null, required: false },
  ]),
  rule('app-site-review-check', null, 'siteCheck.stale', [
    { action: 'write', write: 'site-review-check', fallback: null, required: false },
  ]),
];

/** Kinds that a rule may ask for: those that it requests, and the fallbacks of its writes. */
export function kindsOfRule({ actions }: WorkflowRule): string[] {
  return actions.flatMap(kindsOfAction);
}

function kindsOfAction(action: Action): string[] {
  if (action.action === 'request') return [action.kind];
  if (action.action === 'write') return action.fallback === null ? [] : [action.fallback];
  if (action.action !== 'ask') return [];
  return action.options.flatMap((option) => option.actions.flatMap(kindsOfAction));
}
