import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { UpdateAutomationSettings } from '#src/board/workflow/application/commands/update-automation-settings.js';
import { GetWorkflow } from '#src/board/workflow/application/queries/get-workflow.js';
import { yesNo } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

/** Tools of the workflow of the project. */
@Injectable()
export class WorkflowTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(workflow: GetWorkflow, update: UpdateAutomationSettings) {
    super();
    this.tools = [
      tool({
        name: 'workflow_get',
        title: 'Workflow of the project',
        description:
          'Reads the workflow that the board follows: template, switch, columns with the slots they are places of, kinds of work with role, rules and what they need from the project. In this release rules do not act by themselves. For columns and card types use board_columns; automation_settings_update changes the switch.',
        level: 'read',
        flags: ['board.enabled'],
        input: z.strictObject({}),
        handle: ({ actor, projectId }) => workflow.execute(actor, projectId),
      }),
      tool({
        name: 'automation_settings_update',
        title: 'Update automation settings',
        description:
          'Switches the workflow of the project on or off, and says whether an approval still counts after a conflict was resolved. Omitted arguments keep their value. While it is on, moves by hand are limited to those of the template. Needs the maintainer role. Returns both values; workflow_get reads the rest.',
        level: 'administer',
        flags: ['board.enabled'],
        idempotent: true,
        input: z.strictObject({
          enabled: yesNo('Follow the workflow').optional(),
          approvalCoversConflictResolution: yesNo(
            'An approval covers commits that only resolve conflicts with the base',
          ).optional(),
        }),
        handle: async ({ actor, projectId }, { enabled, approvalCoversConflictResolution }) => {
          const values =
            approvalCoversConflictResolution === undefined ? {} : { approvalCoversConflictResolution };
          const settings = await update.execute(actor, { projectId, enabled, values });
          const approval = settings.values.find(({ key }) => key === 'approvalCoversConflictResolution');
          return {
            enabled: settings.enabled,
            approvalCoversConflictResolution: approval?.value ?? null,
          };
        },
      }),
    ];
  }
}
