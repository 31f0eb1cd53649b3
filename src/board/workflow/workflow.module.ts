import { Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { LinkSlot } from './application/commands/link-slot.js';
import { UpdateAutomationSettings } from './application/commands/update-automation-settings.js';
import { UpgradeBoundProjects } from './application/commands/upgrade-bound-projects.js';
import { KnownWorkflow } from './application/known-workflow.js';
import { BoardLock } from './application/ports/board-lock.js';
import { BoardOnFirstUse } from './application/ports/board-on-first-use.js';
import { ProjectWorkflows } from './application/ports/project-workflows.js';
import { TemplateLibrary } from './application/ports/template-library.js';
import { WorkflowTemplates } from './application/ports/workflow-templates.js';
import { BoardColumns } from './application/queries/board-columns.js';
import { GetAutomation } from './application/queries/get-automation.js';
import { GetWorkflow } from './application/queries/get-workflow.js';
import { GetWorkflowPage } from './application/queries/get-workflow-page.js';
import { ListTemplates } from './application/queries/list-templates.js';
import { BoundWorkflowTemplates } from './infrastructure/bound-workflow-templates.js';
import { ParsedTemplates } from './infrastructure/parsed-templates.js';
import { SqlBoardLock } from './infrastructure/sql-board-lock.js';
import { SqlProjectWorkflows } from './infrastructure/sql-project-workflows.js';
import { YamlTemplateLibrary } from './infrastructure/yaml-template-library.js';
import { WorkflowController } from './interface/http/workflow.controller.js';

const useCases = [
  GetWorkflow,
  GetWorkflowPage,
  GetAutomation,
  ListTemplates,
  UpdateAutomationSettings,
  LinkSlot,
  UpgradeBoundProjects,
];

/** Workflow templates, and which project follows which. */
@Module({
  controllers: [WorkflowController],
  providers: [
    ...useCases,
    BoardColumns,
    BoardOnFirstUse,
    KnownWorkflow,
    ParsedTemplates,
    {
      provide: TemplateLibrary,
      inject: [Configuration],
      useFactory: ({ values }: Configuration) => YamlTemplateLibrary.load(values.workflowTemplateDir),
    },
    { provide: BoardLock, useClass: SqlBoardLock },
    { provide: ProjectWorkflows, useClass: SqlProjectWorkflows },
    { provide: WorkflowTemplates, useClass: BoundWorkflowTemplates },
  ],
  exports: [WorkflowTemplates, BoardOnFirstUse, ...useCases],
})
export class WorkflowModule implements OnApplicationBootstrap {
  private readonly logger = new Logger('workflow');

  constructor(private readonly upgrade: UpgradeBoundProjects) {}

  async onApplicationBootstrap(): Promise<void> {
    const count = await this.upgrade.execute();
    if (count > 0) this.logger.log(`${count} projects follow a newer version of their workflow template.`);
  }
}
