import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ProjectWorkflows } from '../ports/project-workflows.js';
import { TemplateLibrary } from '../ports/template-library.js';

const BATCH = 100;
const ACTOR: SystemActor = { kind: 'system', jobName: 'workflow-template-upgrade' };

/**
 * Brings every bound project to the newest version of its template, one project a transaction. Values that still fit and
 * the links of slots are kept; no card moves. Runs at the start of a process and may run in several at once.
 */
@Injectable()
export class UpgradeBoundProjects {
  constructor(
    private readonly library: TemplateLibrary,
    private readonly workflows: ProjectWorkflows,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /** @returns number of projects that were upgraded. */
  async execute(): Promise<number> {
    let upgraded = 0;
    for (const { template } of this.library.newest()) {
      let batch: string[];
      do {
        batch = await this.workflows.boundBelow(template.key, template.version, BATCH);
        for (const projectId of batch) if (await this.upgrade(projectId)) upgraded += 1;
      } while (batch.length === BATCH);
    }
    return upgraded;
  }

  private async upgrade(projectId: string): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const workflow = await this.workflows.findLocked(projectId);
      const from = workflow?.state.template;
      const newest = from && this.library.find(from.key);
      if (!workflow || !newest || newest.template.version <= from.version) return false;
      const dropped = workflow.upgradeTo(newest);
      await this.workflows.save(workflow);
      await this.audit.record(ACTOR, {
        operation: 'workflow.template_upgraded',
        subjectType: 'project',
        subjectId: projectId,
        projectId,
        context: { template: from.key, from: from.version, to: newest.template.version, dropped },
      });
      return true;
    });
  }
}
