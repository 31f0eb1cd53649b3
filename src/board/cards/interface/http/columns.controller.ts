import { Body, Controller, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { projectId } from '#libs/http/request-values.js';
import { SessionOrBridgeGuard } from '#libs/http/session-or-bridge.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ConfigureColumn } from '../../application/commands/configure-column.js';
import { CreateColumn } from '../../application/commands/create-column.js';
import { DeleteColumn } from '../../application/commands/delete-column.js';
import { ReorderColumns } from '../../application/commands/reorder-columns.js';
import { ListColumns } from '../../application/queries/list-columns.js';
import { ColumnOrderBody, ConfigureColumnBody, CreateColumnBody, DeleteColumnBody } from './board.dto.js';
import { columnId } from './board-values.js';

/** Columns of a board, for the browser and for bridges. */
@Controller('api/projects/:projectId/board/columns')
@UseGuards(SessionOrBridgeGuard, FlagGuard)
@RequireFlag('board.enabled')
export class ColumnsController {
  constructor(
    private readonly listColumns: ListColumns,
    private readonly createColumn: CreateColumn,
    private readonly configureColumn: ConfigureColumn,
    private readonly reorderColumns: ReorderColumns,
    private readonly deleteColumn: DeleteColumn,
  ) {}

  @Get()
  async list(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return actor.kind === 'connection'
      ? this.listColumns.forBridge(actor, project)
      : this.listColumns.forPage(actor, project);
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: CreateColumnBody,
  ) {
    await this.createColumn.execute(actor, { ...body, projectId: project });
    return this.listColumns.forPage(actor, project);
  }

  @Post('order')
  @HttpCode(200)
  async reorder(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: ColumnOrderBody,
  ) {
    await this.reorderColumns.execute(actor, { ...body, projectId: project });
    return this.listColumns.forPage(actor, project);
  }

  @Patch(':columnId')
  async configure(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('columnId', columnId) column: string,
    @Body(inputPipe) body: ConfigureColumnBody,
  ) {
    await this.configureColumn.execute(actor, { ...body, projectId: project, columnId: column });
    return this.listColumns.forPage(actor, project);
  }

  @Post(':columnId/delete')
  @HttpCode(200)
  async remove(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('columnId', columnId) column: string,
    @Body(inputPipe) body: DeleteColumnBody,
  ) {
    await this.deleteColumn.execute(actor, { ...body, projectId: project, columnId: column });
    return this.listColumns.forPage(actor, project);
  }
}
