import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { KnownWorkflow } from '../known-workflow.js';
import { BoardColumns } from './board-columns.js';
import { kindsWithRules } from './kind-rules.js';

/** The workflow of a project as agents read it. */
export interface WorkflowForAgents {
  readonly template: { readonly key: string; readonly version: number };
  readonly enabled: boolean;
  /** Null when the template has no such value. */
  readonly approvalCoversConflictResolution: boolean | null;
  /** Null for no epic branches. */
  readonly epicBranchPattern: string | null;
  readonly designReview: boolean;
  readonly agentReview: boolean;
  readonly columns: readonly {
    readonly slug: string;
    readonly label: string;
    readonly slot: string | null;
    readonly backlog: boolean;
    readonly terminal: boolean;
  }[];
  readonly kinds: readonly {
    readonly kind: string;
    readonly origin: 'template' | 'app';
    readonly role: string;
    readonly rules: readonly string[];
    readonly checks: readonly string[];
  }[];
}

/** Tells an agent which workflow its project follows. */
@Injectable()
export class GetWorkflow {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workflows: KnownWorkflow,
    private readonly columns: BoardColumns,
  ) {}

  /** @throws DomainError `no_workflow` for a project without a template. */
  async execute(actor: Actor, projectId: string): Promise<WorkflowForAgents> {
    await this.access.require(actor, projectId, 'read');
    const workflow = await this.workflows.read(actor, projectId);
    const { template, enabled } = workflow.state;
    const columns = await this.columns.of(projectId);
    return {
      template: { key: template.key, version: template.version },
      enabled,
      approvalCoversConflictResolution:
        (workflow.value('approvalCoversConflictResolution') as boolean | undefined) ?? null,
      epicBranchPattern: (workflow.value('epicBranchPattern') as string | undefined) || null,
      designReview: workflow.value('designReview') === true,
      agentReview: workflow.value('agentReview') === true,
      columns: columns.map(({ slug, label, slot, backlog, terminal }) => ({
        slug,
        label,
        slot,
        backlog,
        terminal,
      })),
      kinds: kindsWithRules(template).map(({ kind, origin, rules }) => ({
        kind: kind.key,
        origin,
        role: kind.role,
        rules,
        checks: kind.checks,
      })),
    };
  }
}
