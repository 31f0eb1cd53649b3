import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import { ProjectWorkflows } from '../application/ports/project-workflows.js';
import { type LibraryTemplate, TemplateLibrary } from '../application/ports/template-library.js';
import {
  type BoardWorkflow,
  type NewBoard,
  WorkflowTemplates,
} from '../application/ports/workflow-templates.js';
import { ProjectWorkflow } from '../domain/project-workflow.js';
import { WorkflowOfBoard } from '../domain/workflow-of-board.js';
import { ParsedTemplates } from './parsed-templates.js';

/** What a board without a template starts with. */
const PLAIN_BOARD: NewBoard = {
  template: null,
  columns: [
    { label: 'Next', colour: 'slate', terminal: false, slot: null },
    { label: 'In progress', colour: 'amber', terminal: false, slot: null },
    { label: 'Done', colour: 'green', terminal: true, slot: null },
  ],
};

interface Row {
  readonly digest: string;
  readonly enabled: boolean;
  readonly slots: Readonly<Record<string, string | null>>;
}

/** Serves the cards with the templates of this instance and the bindings in the database. */
@Injectable()
export class BoundWorkflowTemplates extends WorkflowTemplates {
  constructor(
    private readonly library: TemplateLibrary,
    private readonly parsed: ParsedTemplates,
    private readonly workflows: ProjectWorkflows,
    private readonly database: Database,
    private readonly flags: Flags,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {
    super();
  }

  override newBoard(templateKey: string | null): NewBoard {
    if (templateKey === '') return PLAIN_BOARD;
    const { key, version, columns } = this.chosen(templateKey ?? TemplateLibrary.DEFAULT_KEY).template;
    return { template: { key, version }, columns };
  }

  override async bind(
    actor: Actor,
    projectId: string,
    board: NewBoard,
    columnIds: readonly string[],
  ): Promise<void> {
    if (board.template === null) return;
    const workflow = ProjectWorkflow.bind(projectId, this.chosen(board.template.key), this.clock.now());
    const slots = new Map<string, string | null>();
    board.columns.forEach(({ slot }, index) => {
      if (slot !== null) slots.set(slot, columnIds[index] ?? null);
    });
    await this.workflows.add(workflow, slots);
    await this.audit.record(actor, {
      operation: 'workflow.bound',
      subjectType: 'project',
      subjectId: projectId,
      projectId,
      context: { template: board.template.key, version: board.template.version },
    });
  }

  override async of(projectId: string): Promise<BoardWorkflow> {
    const [row] = await this.database.hot<Row>(
      `SELECT digest, enabled, coalesce((SELECT jsonb_object_agg(slot_key, column_id) FROM board.project_slot
         WHERE project_id = $1), '{}') AS slots
       FROM board.project_workflow WHERE project_id = $1`,
      [projectId],
    );
    if (!row) {
      const none = { bound: false, switchedOn: false, columns: new Map() };
      return new WorkflowOfBoard(this.library.default.template, none);
    }
    const { template } = await this.parsed.of(row.digest, projectId);
    return new WorkflowOfBoard(template, {
      bound: true,
      switchedOn: row.enabled && this.flags.isOn('workflow.enabled'),
      columns: new Map(Object.entries(row.slots)),
    });
  }

  override async columnDeleted(projectId: string, columnId: string): Promise<string | null> {
    return this.workflows.emptySlotOf(projectId, columnId);
  }

  private chosen(key: string): LibraryTemplate {
    const found = this.library.find(key);
    if (found) return found;
    const keys = this.library.newest().map(({ template }) => template.key);
    throw new InvalidInput([
      {
        argument: 'templateKey',
        sentence: `Unknown workflow template "${key.slice(0, 60)}". Use one of: ${keys.join(', ')}.`,
      },
    ]);
  }
}
