/** Where the facts of a condition come from; facts of one source are read together. */
export type FactSource = 'board' | 'documents' | 'forge' | 'workers' | 'values' | 'app';

/** What a parameter of a condition must be. */
export type ParameterKind = 'slot' | 'type' | 'kind' | 'value' | 'valueOf' | 'tag' | 'code' | 'count';

export interface ParameterRule {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly optional?: boolean;
  /** What an absent parameter means, where that is not "any". */
  readonly default?: number;
}

export interface ConditionRule {
  readonly name: string;
  readonly source: FactSource;
  readonly parameters: readonly ParameterRule[];
}

const rule = (source: FactSource, name: string, ...parameters: ParameterRule[]): ConditionRule => ({
  name,
  source,
  parameters,
});

const SLOT: ParameterRule = { name: 'slot', kind: 'slot' };
const TAG: ParameterRule = { name: 'tag', kind: 'tag' };

/** Every condition that rules and markers may read (`workflow.md` 3.1). */
export const CONDITIONS: readonly ConditionRule[] = [
  rule('board', 'card.type', { name: 'type', kind: 'type' }),
  rule('board', 'card.groupsChildren'),
  rule('board', 'card.inSlot', SLOT),
  rule('board', 'parent.inSlot', SLOT),
  rule('board', 'card.isChild'),
  rule('board', 'card.hasChildren'),
  rule('board', 'card.childrenFinished'),
  rule('board', 'card.hasOpenBlocker'),
  rule('board', 'card.childMergedIntoEpicBranch'),
  rule('documents', 'document.exists', TAG),
  rule('documents', 'document.approved', TAG),
  rule('documents', 'document.changesRequested', TAG),
  rule('documents', 'document.inReview', TAG),
  rule('documents', 'document.draft', TAG),
  rule('documents', 'parent.documentApproved', TAG),
  rule('documents', 'draft.needsReview', TAG),
  rule('documents', 'draft.reviewFailed', TAG),
  rule('documents', 'draft.reviewSettled', TAG),
  rule('documents', 'draft.rounds', TAG, { name: 'min', kind: 'count' }),
  rule('forge', 'pr.linked'),
  rule('forge', 'pr.open'),
  rule('forge', 'pr.draft'),
  rule('forge', 'pr.checksPassed'),
  rule('forge', 'pr.checksFailed'),
  rule('forge', 'pr.checksPending'),
  rule('forge', 'pr.conflicting'),
  rule('forge', 'pr.behind'),
  rule('forge', 'pr.changesRequested'),
  rule('forge', 'pr.changesToAnswer'),
  rule('forge', 'pr.approvalCoversHead', { name: 'min', kind: 'count', optional: true, default: 1 }),
  rule('forge', 'pr.baseIsEpicBranch'),
  rule('forge', 'pr.baseIsMergeTarget'),
  rule('forge', 'pr.stacked'),
  rule('forge', 'pr.parentMerged'),
  rule('forge', 'pr.allFinishedOneMerged'),
  rule('forge', 'pr.reviewMissing'),
  rule('forge', 'pr.reviewFailed'),
  rule('forge', 'pr.reviewPassed'),
  rule('forge', 'pr.reviewUnposted'),
  rule('workers', 'work.active', { name: 'kind', kind: 'kind', optional: true }),
  rule('workers', 'run.active'),
  rule('workers', 'parent.working'),
  rule('workers', 'work.lastRefusal', { name: 'code', kind: 'code' }),
  rule('values', 'value.is', { name: 'key', kind: 'value' }, { name: 'is', kind: 'valueOf' }),
  rule('app', 'discovery.requested'),
  rule('app', 'verdict.unsent'),
  rule('app', 'siteCheck.stale'),
];

const BY_NAME = new Map(CONDITIONS.map((condition) => [condition.name, condition]));

/** Undefined for a name that no condition has. */
export function conditionRule(name: string): ConditionRule | undefined {
  return BY_NAME.get(name);
}
