import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import type { ProjectWorkflow } from '../../domain/project-workflow.js';
import type { SettingValue, ValueDefinition } from '../../domain/template-value.js';
import { ENGINE } from '../engine-notice.js';
import { KnownWorkflow } from '../known-workflow.js';

/** Right that the forge must give for what a value switches on. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  writeMerge: 'contents: write',
  writeUpdateBranch: 'contents: write',
  writeChangeBase: 'pull requests: write',
  writeOpenEpic: 'pull requests: write',
  writeEpicDraftReady: 'pull requests: write',
  writeEpicClose: 'pull requests: write',
  writeSiteReviewCheck: 'checks: write',
  writeAgentReviewCheck: 'checks: write',
  commentOnFix: 'pull requests: write',
  commentOnOutdatedApproval: 'pull requests: write',
};

export interface AutomationValue extends Omit<ValueDefinition, 'default'> {
  readonly value: SettingValue;
  readonly default: SettingValue;
  /** What the installation on the forge must allow, or null. */
  readonly permission: string | null;
}

/** Switch and values of the workflow of a project. */
export interface AutomationSettings {
  readonly enabled: boolean;
  readonly values: readonly AutomationValue[];
  /** Whether Loupe acts on the rules, and what to tell people while it does not. */
  readonly engine: { readonly acts: boolean; readonly notice: string | null };
  /** Permissions that the connected installation has; null while none is connected. */
  readonly installation: readonly string[] | null;
  /** Last failures of comments and checks. */
  readonly lastFailures: readonly { readonly value: string; readonly at: string; readonly reason: string }[];
  /** For the form: a save sends it back. */
  readonly version: number;
}

/** Reads the automation settings of a project. */
@Injectable()
export class GetAutomation {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workflows: KnownWorkflow,
  ) {}

  /** @throws DomainError `no_workflow` for a project without a template. */
  async execute(actor: Actor, projectId: string): Promise<AutomationSettings> {
    await this.access.require(actor, projectId, 'read');
    const workflow = await this.workflows.read(actor, projectId);
    return automationOf(workflow);
  }
}

/** The settings as pages and conflicts show them. No forge can be connected in this release. */
export function automationOf(workflow: ProjectWorkflow): AutomationSettings {
  const { template, enabled, version } = workflow.state;
  return {
    enabled,
    values: template.values.map((definition) => ({
      ...definition,
      value: workflow.value(definition.key) ?? definition.default,
      permission: PERMISSIONS[definition.key] ?? null,
    })),
    engine: ENGINE,
    installation: null,
    lastFailures: [],
    version,
  };
}
