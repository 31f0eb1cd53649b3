import { Body, Controller, Get, Param, Patch, Put, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { LinkSlot } from '../../application/commands/link-slot.js';
import { UpdateAutomationSettings } from '../../application/commands/update-automation-settings.js';
import { type AutomationSettings, GetAutomation } from '../../application/queries/get-automation.js';
import {
  GetWorkflowPage,
  type SlotShown,
  type WorkflowPage,
} from '../../application/queries/get-workflow-page.js';
import { ListTemplates, type TemplateChoice } from '../../application/queries/list-templates.js';
import { LinkSlotBody, UpdateAutomationBody } from './workflow.dto.js';

/** Workflow and automation settings for the browser (`workflow.md` 15.1). */
@Controller('api')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('board.enabled')
export class WorkflowController {
  constructor(
    private readonly listTemplates: ListTemplates,
    private readonly getPage: GetWorkflowPage,
    private readonly linkSlot: LinkSlot,
    private readonly getAutomation: GetAutomation,
    private readonly updateAutomation: UpdateAutomationSettings,
  ) {}

  @Get('workflow-templates')
  templates(): { templates: TemplateChoice[] } {
    return { templates: this.listTemplates.execute() };
  }

  @Get('projects/:projectId/workflow')
  async workflow(@CurrentActor() actor: Actor, @Param('projectId') projectId: string): Promise<WorkflowPage> {
    return this.getPage.execute(actor, projectId);
  }

  @Put('projects/:projectId/workflow/slots/:slot')
  async link(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('slot') slot: string,
    @Body(inputPipe) { columnId }: LinkSlotBody,
  ): Promise<{ slots: readonly SlotShown[] }> {
    return { slots: await this.linkSlot.execute(actor, { projectId, slot, columnId }) };
  }

  @Get('projects/:projectId/automation')
  async automation(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
  ): Promise<AutomationSettings> {
    return this.getAutomation.execute(actor, projectId);
  }

  @Patch('projects/:projectId/automation')
  async update(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: UpdateAutomationBody,
  ): Promise<AutomationSettings> {
    return this.updateAutomation.execute(actor, {
      projectId,
      enabled: body.enabled ?? undefined,
      values: body.values ?? undefined,
      expectedVersion: body.version,
    });
  }
}
