import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { SettingsChange } from '../../domain/project-workflow.js';
import { KnownWorkflow } from '../known-workflow.js';
import { ProjectWorkflows } from '../ports/project-workflows.js';
import { type AutomationSettings, automationOf } from '../queries/get-automation.js';

export interface UpdateAutomationInput extends SettingsChange {
  readonly projectId: string;
  /** The version that a form showed; left out, the last write wins. */
  readonly expectedVersion?: number;
}

/**
 * Changes the switch of the workflow and the values of its template. People change the values that are theirs; the one
 * that says how far an approval reaches is for agents alone, and agents open no writes to the forge.
 */
@Injectable()
export class UpdateAutomationSettings {
  constructor(
    private readonly access: ProjectAccess,
    private readonly known: KnownWorkflow,
    private readonly workflows: ProjectWorkflows,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  /** @throws InvalidInput; DomainError `no_workflow`, or `stale` with the settings as they are now. */
  async execute(actor: Actor, input: UpdateAutomationInput): Promise<AutomationSettings> {
    const { projectId, expectedVersion, enabled, values } = input;
    await this.access.require(actor, projectId, 'administer');
    return this.unitOfWork.run(async () => {
      const workflow = await this.known.lock(actor, projectId);
      if (expectedVersion !== undefined && expectedVersion !== workflow.state.version) {
        throw conflict(
          'stale',
          'Somebody changed these settings meanwhile. Look at both values and save again.',
          { current: automationOf(workflow) },
        );
      }
      const editor = actor.kind === 'person' ? 'owner' : 'agent';
      const changed = workflow.change({ enabled, values }, editor);
      if (changed.length > 0) {
        await this.workflows.save(workflow);
        await this.audit.record(actor, {
          operation: 'workflow.values_updated',
          subjectType: 'project',
          subjectId: projectId,
          projectId,
          context: { changed },
        });
        const { version } = workflow.state;
        await this.live.publish(`project:${projectId}:board`, {
          type: 'workflow',
          subjectId: projectId,
          version,
        });
      }
      return automationOf(workflow);
    });
  }
}
