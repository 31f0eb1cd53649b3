import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { APP_RULES } from '../../domain/app-rules.js';
import { conditionData, factsOf } from '../../domain/condition.js';
import { conditionRule, type FactSource } from '../../domain/condition-catalogue.js';
import { BACKLOG, type PlaceName, TERMINAL } from '../../domain/places.js';
import type { WorkflowRule, WorkflowTemplate } from '../../domain/workflow-template.js';
import { ENGINE } from '../engine-notice.js';
import { KnownWorkflow } from '../known-workflow.js';
import { BoardColumns, type ColumnWithSlot } from './board-columns.js';
import { kindsWithRules } from './kind-rules.js';

interface NamedPlace {
  /** A slot key, `@backlog` or `@terminal`. */
  readonly place: PlaceName;
  readonly label: string;
}

interface FactShown {
  /** Null for a condition that this release does not have. */
  readonly source: FactSource | null;
  readonly fact: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly negated: boolean;
  readonly known: boolean;
}

export interface RuleShown {
  readonly id: string;
  readonly origin: 'template' | 'app';
  /** Null means any place. */
  readonly places: readonly NamedPlace[] | null;
  /** The whole condition as the template writes it. */
  readonly when: Readonly<Record<string, unknown>>;
  /** What it reads, for a list by source. */
  readonly facts: readonly FactShown[];
  readonly actions: WorkflowRule['actions'];
  readonly whilePaused: boolean;
  readonly keepTruth: boolean;
}

/** The workflow of a project with everything that its page shows. */
export interface WorkflowPage {
  readonly template: {
    readonly key: string;
    readonly version: number;
    readonly label: string;
    readonly description: string;
  };
  readonly enabled: boolean;
  /** Whether Loupe acts on the rules, and what to tell people while it does not. */
  readonly engine: { readonly acts: boolean; readonly notice: string | null };
  readonly slots: readonly SlotShown[];
  readonly columns: readonly ColumnWithSlot[];
  readonly manualMoves:
    | 'any'
    | readonly { readonly from: NamedPlace; readonly to: NamedPlace; readonly by: 'parent-run' | null }[];
  readonly types: WorkflowTemplate['types'];
  readonly defaultType: string;
  readonly kinds: readonly {
    readonly kind: string;
    readonly label: string;
    readonly origin: 'template' | 'app';
    readonly role: string;
    readonly capability: 'interactive' | null;
    readonly onTimeout: 'pause' | 'expire';
    readonly checks: readonly string[];
    readonly rules: readonly string[];
    /** Live bridges that map the kind. */
    readonly bridges: readonly string[];
  }[];
  readonly rules: readonly RuleShown[];
  readonly budgets: WorkflowTemplate['budgets'];
}

export interface SlotShown {
  readonly key: string;
  readonly label: string;
  /** Null while the slot is empty. */
  readonly column: Pick<ColumnWithSlot, 'columnId' | 'slug' | 'label' | 'colour'> | null;
}

/** Reads the workflow of a project for its settings page. */
@Injectable()
export class GetWorkflowPage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workflows: KnownWorkflow,
    private readonly columns: BoardColumns,
  ) {}

  /** @throws DomainError `no_workflow` for a project without a template. */
  async execute(actor: Actor, projectId: string): Promise<WorkflowPage> {
    await this.access.require(actor, projectId, 'read');
    const workflow = await this.workflows.read(actor, projectId);
    const { template, enabled } = workflow.state;
    const columns = await this.columns.of(projectId);
    const named = (place: PlaceName): NamedPlace => ({ place, label: labelOf(template, place) });
    const shown = (rule: WorkflowRule, origin: RuleShown['origin']): RuleShown => ({
      id: rule.id,
      origin,
      places: rule.slots?.map(named) ?? null,
      when: conditionData(rule.when),
      facts: factsOf(rule.when).map((fact) => ({
        ...fact,
        source: conditionRule(fact.fact)?.source ?? null,
      })),
      actions: rule.actions,
      whilePaused: rule.whilePaused,
      keepTruth: rule.keepTruth,
    });
    const { key, version, label, description } = template;
    return {
      template: { key, version, label, description },
      enabled,
      engine: ENGINE,
      slots: slotsShown(template, columns),
      columns,
      manualMoves:
        template.manualMoves === 'any'
          ? 'any'
          : template.manualMoves.map(({ from, to, by }) => ({ from: named(from), to: named(to), by })),
      types: template.types,
      defaultType: template.defaultType,
      kinds: kindsWithRules(template).map(({ kind, origin, rules }) => ({
        kind: kind.key,
        label: kind.label,
        origin,
        role: kind.role,
        capability: kind.capability,
        onTimeout: kind.onTimeout,
        checks: kind.checks,
        rules,
        bridges: [],
      })),
      rules: [
        ...template.rules.map((rule) => shown(rule, 'template')),
        ...APP_RULES.map((rule) => shown(rule, 'app')),
      ],
      budgets: template.budgets,
    };
  }
}

function labelOf({ slots }: WorkflowTemplate, place: PlaceName): string {
  if (place === BACKLOG) return 'Backlog';
  if (place === TERMINAL) return 'Finished';
  return slots.find(({ key }) => key === place)?.label ?? place;
}

/** The slots of a template with the columns that are their places. */
export function slotsShown(
  { slots }: WorkflowTemplate,
  columns: readonly ColumnWithSlot[],
): readonly SlotShown[] {
  return slots.map(({ key, label }) => {
    const column = columns.find(({ slot }) => slot === key);
    return {
      key,
      label,
      column: column
        ? { columnId: column.columnId, slug: column.slug, label: column.label, colour: column.colour }
        : null,
    };
  });
}
