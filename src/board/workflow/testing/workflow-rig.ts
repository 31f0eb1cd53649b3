import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { connectionActor, personActor } from '#libs/kernel/testing/actors.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { RecordingAudit, RecordingLiveUpdates } from '#libs/kernel/testing/recording-ports.js';
import type { Database } from '#libs/persistence/database.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { LinkSlot } from '../application/commands/link-slot.js';
import { UpdateAutomationSettings } from '../application/commands/update-automation-settings.js';
import { UpgradeBoundProjects } from '../application/commands/upgrade-bound-projects.js';
import { KnownWorkflow } from '../application/known-workflow.js';
import { BoardOnFirstUse } from '../application/ports/board-on-first-use.js';
import type { TemplateLibrary } from '../application/ports/template-library.js';
import { BoardColumns } from '../application/queries/board-columns.js';
import { GetAutomation } from '../application/queries/get-automation.js';
import { GetWorkflow } from '../application/queries/get-workflow.js';
import { GetWorkflowPage } from '../application/queries/get-workflow-page.js';
import { BoundWorkflowTemplates } from '../infrastructure/bound-workflow-templates.js';
import { ParsedTemplates } from '../infrastructure/parsed-templates.js';
import { SqlBoardLock } from '../infrastructure/sql-board-lock.js';
import { SqlProjectWorkflows } from '../infrastructure/sql-project-workflows.js';

/** The use cases of the workflow on a real database, with everything they tell others kept for a look. */
export class WorkflowRig {
  readonly ids = new UuidV7Ids();
  readonly clock = new FixedClock();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly flags = new FixedFlags();
  readonly access = new FakeProjectAccess();
  readonly workflows: SqlProjectWorkflows;
  readonly templates: BoundWorkflowTemplates;
  readonly get: GetWorkflow;
  readonly page: GetWorkflowPage;
  readonly automation: GetAutomation;
  readonly update: UpdateAutomationSettings;
  readonly link: LinkSlot;
  readonly upgrade: UpgradeBoundProjects;

  constructor(
    private readonly database: Database,
    library: TemplateLibrary,
  ) {
    const { access, audit, live, clock, flags } = this;
    const parsed = new ParsedTemplates(database, library);
    const columns = new BoardColumns(database);
    this.workflows = new SqlProjectWorkflows(database, parsed);
    const { workflows } = this;
    this.templates = new BoundWorkflowTemplates(library, parsed, workflows, database, flags, audit, clock);
    const known = new KnownWorkflow(workflows, new BoardOnFirstUse());
    this.get = new GetWorkflow(access, known, columns);
    this.page = new GetWorkflowPage(access, known, columns);
    this.automation = new GetAutomation(access, known);
    this.update = new UpdateAutomationSettings(access, known, workflows, database, audit, live);
    const lock = new SqlBoardLock(database);
    this.link = new LinkSlot(access, known, workflows, lock, columns, database, audit, live);
    this.upgrade = new UpgradeBoundProjects(library, workflows, database, audit);
  }

  person(): PersonActor {
    return personActor(this.ids.next());
  }

  /** A connection of a person, bound to a project. */
  connection(personId: string, projectId: string): ConnectionActor {
    return connectionActor(this.ids.next(), personId, projectId);
  }

  /** A project with its board, as it is made for a new one. */
  async project(owner: PersonActor, templateKey: string | null = null): Promise<string> {
    const projectId = this.ids.next();
    this.access.add(projectId, owner.personId);
    const board = this.templates.newBoard(templateKey);
    await this.database.run(async () => {
      await this.database.query(
        'INSERT INTO board.board (project_id, id, created_at) VALUES ($1, $2, now())',
        [projectId, this.ids.next()],
      );
      await this.addColumn(projectId, 'Backlog', 'backlog');
      const columnIds: string[] = [];
      for (const { label, terminal } of board.columns) {
        columnIds.push(await this.addColumn(projectId, label, terminal ? 'terminal' : null));
      }
      await this.templates.bind(owner, projectId, board, columnIds);
    });
    return projectId;
  }

  async addColumn(
    projectId: string,
    label: string,
    kind: 'backlog' | 'terminal' | null = null,
  ): Promise<string> {
    const id = this.ids.next();
    const slug = label.toLowerCase().replaceAll(' ', '-');
    await this.database.query(
      `INSERT INTO board.board_column (id, project_id, label, slug, position, backlog, terminal, colour)
       SELECT $1, $2, $3, $4, coalesce(max(position) + 1, 0), $5, $6, 'slate' FROM board.board_column WHERE project_id = $2`,
      [id, projectId, label, slug, kind === 'backlog', kind === 'terminal'],
    );
    return id;
  }

  async columnId(projectId: string, slug: string): Promise<string> {
    const row = await this.database.one<{ id: string }>(
      'SELECT id FROM board.board_column WHERE project_id = $1 AND slug = $2',
      [projectId, slug],
    );
    return row!.id;
  }
}
