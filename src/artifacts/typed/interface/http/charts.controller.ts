import { Controller, Delete, Get, Header, HttpCode, Param, Query, Res, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { optionalNumber, optionalText, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DeleteTypedArtifact } from '../../application/commands/delete-typed-artifact.js';
import type { ChartSize, ChartTheme } from '../../application/ports/chart-renderer.js';
import { GetChart } from '../../application/queries/get-chart.js';
import { GetChartFile } from '../../application/queries/get-chart-file.js';
import { ListCharts } from '../../application/queries/list-charts.js';
import { ListThreads } from '../../application/queries/list-threads.js';
import { chartId, size, theme } from './chart-parameters.js';

/** What a picture may do when it is opened by itself: have its own style, and nothing else. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Typed artifacts for people: gallery, page, picture and table (`artifacts.md` 11.1). */
@Controller('api/projects/:projectId/charts')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled', 'artifacts.typed.enabled')
export class ChartsController {
  constructor(
    private readonly listCharts: ListCharts,
    private readonly listThreads: ListThreads,
    private readonly getChart: GetChart,
    private readonly getFile: GetChartFile,
    private readonly deleteArtifact: DeleteTypedArtifact,
  ) {}

  @Get()
  async charts(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('type', optionalText) type: string | null,
    @Query('thread', optionalText) threadId: string | null,
    @Query('q', optionalText) text: string | null,
    @Query('page', optionalNumber) page: number | null,
  ) {
    return this.listCharts.execute(actor, { projectId: project, type, threadId, text, page });
  }

  @Get('threads')
  async threads(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.listThreads.execute(actor, { projectId: project });
  }

  @Get(':id.svg')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Content-Security-Policy', PICTURE_POLICY)
  @Header('Cache-Control', 'private, no-cache')
  async picture(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', chartId) id: number,
    @Query('theme', theme) inTheme: ChartTheme,
    @Query('size', size) inSize: ChartSize,
    @Query('download', optionalText) download: string | null,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<string> {
    const { fileName, content } = await this.getFile.svg(actor, {
      projectId: project,
      id,
      theme: inTheme,
      size: inSize,
      alone: download !== null,
    });
    const disposition = download === null ? 'inline' : 'attachment';
    response.setHeader('Content-Disposition', `${disposition}; filename="${fileName}"`);
    return content;
  }

  @Get(':id.csv')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  async table(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', chartId) id: number,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<string> {
    const { fileName, content } = await this.getFile.csv(actor, { projectId: project, id });
    response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    return content;
  }

  @Get(':id')
  async chart(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', chartId) id: number,
  ) {
    return this.getChart.execute(actor, { projectId: project, id });
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', chartId) id: number,
  ): Promise<void> {
    await this.deleteArtifact.execute(actor, { projectId: project, id });
  }
}
