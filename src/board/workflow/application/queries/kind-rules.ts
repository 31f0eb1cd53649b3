import { APP_KINDS, APP_RULES, kindsOfRule } from '../../domain/app-rules.js';
import type { WorkflowTemplate, WorkKind } from '../../domain/workflow-template.js';

export interface KindWithRules {
  readonly kind: WorkKind;
  readonly origin: 'template' | 'app';
  /** Ids of the rules that may ask for the kind, in the order of the template. */
  readonly rules: readonly string[];
}

/** Kinds of work of a project: those of its template, then those that Loupe adds. */
export function kindsWithRules(template: WorkflowTemplate): KindWithRules[] {
  const rulesOf = (kind: WorkKind) =>
    [...template.rules, ...APP_RULES]
      .filter((rule) => kindsOfRule(rule).includes(kind.key))
      .map(({ id }) => id);
  return [
    ...template.kinds.map((kind) => ({ kind, origin: 'template' as const, rules: rulesOf(kind) })),
    ...APP_KINDS.map((kind) => ({ kind, origin: 'app' as const, rules: rulesOf(kind) })),
  ];
}
