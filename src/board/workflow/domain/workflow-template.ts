import type { Colour } from '#libs/kernel/palette.js';
import type { Action } from './action.js';
import type { Condition } from './condition.js';
import type { PlaceName } from './places.js';
import type { ValueDefinition } from './template-value.js';

export interface TemplateColumn {
  readonly label: string;
  readonly slot: string | null;
  readonly terminal: boolean;
  readonly colour: Colour;
}

export interface TemplateSlot {
  readonly key: string;
  readonly label: string;
}

export interface TemplateCardType {
  readonly key: string;
  readonly label: string;
  readonly colour: Colour;
  readonly children: boolean;
  readonly lane: boolean;
}

export interface ManualMove {
  readonly from: PlaceName;
  readonly to: PlaceName;
  /** `parent-run` opens the move to the running worker of the parent card alone; null to anyone. */
  readonly by: 'parent-run' | null;
}

/** A kind of work that rules ask for. */
export interface WorkKind {
  readonly key: string;
  readonly label: string;
  readonly role: string;
  /** `interactive` needs a bridge on which the owner can join the session. */
  readonly capability: 'interactive' | null;
  readonly onTimeout: 'pause' | 'expire';
  /** What the work needs from the project, one line each. */
  readonly checks: readonly string[];
}

export interface Budgets {
  readonly refusalBackoffMinutes: readonly number[];
  readonly workTimeoutMinutes: number;
  readonly workFailure: {
    readonly retryOn: readonly string[];
    readonly retries: number;
    readonly backoffMinutes: readonly number[];
    readonly repairKind: string | null;
  } | null;
}

export interface WorkflowRule {
  readonly id: string;
  /** Null means any place. */
  readonly slots: readonly PlaceName[] | null;
  readonly when: Condition;
  /** Run in order when the condition turns true. */
  readonly actions: readonly Action[];
  readonly whilePaused: boolean;
  readonly keepTruth: boolean;
}

export interface TemplateMarker {
  readonly key: string;
  readonly kind: 'stuck' | 'needs-you' | 'working' | 'waiting';
  readonly when: Condition;
  readonly since: string | null;
  readonly reason: string;
  readonly clears: string;
}

/** A workflow as data: the places of the work, the moves people may make, the kinds of work and the rules. */
export interface WorkflowTemplate {
  readonly key: string;
  readonly version: number;
  readonly label: string;
  readonly description: string;
  /** In board order, after Backlog. */
  readonly columns: readonly TemplateColumn[];
  readonly slots: readonly TemplateSlot[];
  readonly types: readonly TemplateCardType[];
  readonly defaultType: string;
  readonly manualMoves: 'any' | readonly ManualMove[];
  readonly kinds: readonly WorkKind[];
  readonly values: readonly ValueDefinition[];
  readonly budgets: Budgets;
  readonly rules: readonly WorkflowRule[];
  readonly markers: readonly TemplateMarker[];
}
