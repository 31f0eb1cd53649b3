import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { WorkflowTemplates } from '../../../workflow/application/ports/workflow-templates.js';
import type { Column } from '../../domain/board.js';
import { BoardMaker } from '../board-maker.js';
import { columnList } from '../named-column.js';

/** A column as tools and bridges get it. */
export interface ColumnRow {
  readonly slug: string;
  readonly label: string;
  readonly terminal: boolean;
  readonly default: boolean;
  readonly backlog: boolean;
}

export function columnRow({ slug, label, terminal, backlog }: Column): ColumnRow {
  return { slug, label, terminal, default: backlog, backlog };
}

/** Columns and types of a board. */
@Injectable()
export class ListColumns {
  constructor(
    private readonly access: ProjectAccess,
    private readonly maker: BoardMaker,
    private readonly templates: WorkflowTemplates,
    private readonly projects: ProjectDirectory,
  ) {}

  /** As `board_columns` answers. */
  async execute(actor: Actor, input: { readonly projectId: string }) {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const board = await this.maker.read(actor, projectId);
    const { types, defaultType } = await this.templates.of(projectId);
    return {
      columns: board.columns.map(columnRow),
      types: types.map(({ key, label, children, lane }) => ({ key, label, children, lane })),
      defaultType,
    };
  }

  async rows(actor: Actor, projectId: string): Promise<ColumnRow[]> {
    await this.access.require(actor, projectId, 'read');
    return (await this.maker.read(actor, projectId)).columns.map(columnRow);
  }

  /** All columns, and among them the one that was just written; null when somebody deleted it since. */
  async around(
    actor: Actor,
    projectId: string,
    columnId: string,
  ): Promise<{ readonly column: ColumnRow | null; readonly columns: ColumnRow[] }> {
    await this.access.require(actor, projectId, 'read');
    const board = await this.maker.read(actor, projectId);
    const written = board.columnById(columnId);
    return { column: written && columnRow(written), columns: board.columns.map(columnRow) };
  }

  async forPage(actor: Actor, projectId: string) {
    await this.access.require(actor, projectId, 'read');
    const board = await this.maker.read(actor, projectId);
    const project = await this.projectOf(projectId);
    return { project, ...columnList(board), revision: board.state.revision };
  }

  async forBridge(actor: Actor, projectId: string) {
    const columns = await this.rows(actor, projectId);
    return { project: await this.projectOf(projectId), columns };
  }

  private async projectOf(projectId: string) {
    const facts = (await this.projects.byIds([projectId])).get(projectId);
    return { id: projectId, slug: facts?.slug ?? '' };
  }
}
