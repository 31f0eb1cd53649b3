import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { KnownWorkflow } from '../known-workflow.js';
import { BoardLock } from '../ports/board-lock.js';
import { ProjectWorkflows } from '../ports/project-workflows.js';
import { BoardColumns } from '../queries/board-columns.js';
import { type SlotShown, slotsShown } from '../queries/get-workflow-page.js';

export interface LinkSlotInput {
  readonly projectId: string;
  readonly slot: string;
  readonly columnId: string;
}

/** Makes a column the place of a slot, for instance after the column of that slot was deleted. */
@Injectable()
export class LinkSlot {
  constructor(
    private readonly access: ProjectAccess,
    private readonly known: KnownWorkflow,
    private readonly workflows: ProjectWorkflows,
    private readonly board: BoardLock,
    private readonly columns: BoardColumns,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  /**
   * @returns the slots as they are now.
   * @throws InvalidInput `columnId`; DomainError `terminal`, `taken`, `not_found` for an unknown slot, `no_workflow`.
   */
  async execute(actor: Actor, { projectId, slot, columnId }: LinkSlotInput): Promise<readonly SlotShown[]> {
    await this.access.require(actor, projectId, 'administer');
    return this.unitOfWork.run(async () => {
      await this.board.lock(projectId);
      const workflow = await this.known.lock(actor, projectId);
      const { template } = workflow.state;
      if (!template.slots.some(({ key }) => key === slot)) throw notFound('Slot');
      const column = (await this.columns.of(projectId)).find((one) => one.columnId === columnId);
      if (!column)
        throw new InvalidInput([{ argument: 'columnId', sentence: 'Choose a column of this board.' }]);
      if (column.backlog || column.terminal) {
        throw new DomainError(
          'invalid',
          'terminal',
          'Backlog and finishing columns cannot be the place of a slot. Choose another column.',
          { argument: 'columnId' },
        );
      }
      if (column.slot !== slot) {
        await this.workflows.linkSlot(projectId, slot, columnId);
        await this.audit.record(actor, {
          operation: 'workflow.slot_linked',
          subjectType: 'project',
          subjectId: projectId,
          projectId,
          context: { slot, columnId },
        });
        await this.live.publish(`project:${projectId}:board`, { type: 'workflow', subjectId: projectId });
      }
      return slotsShown(template, await this.columns.of(projectId));
    });
  }
}
