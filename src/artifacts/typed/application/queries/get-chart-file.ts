import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { toAscii } from '#libs/kernel/ascii.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { csvOf } from '../../domain/chart-csv.js';
import { chartData } from '../../domain/chart-data.js';
import { chartSummary } from '../../domain/chart-summary.js';
import { ChartRenderer, type ChartSize, type ChartTheme } from '../ports/chart-renderer.js';
import { ChartReader, type StoredChart } from './chart-reader.js';

export interface ChartFile {
  readonly fileName: string;
  readonly content: string;
}

interface OneChart {
  readonly projectId: string;
  readonly id: number;
}

export interface ChartPicture extends OneChart {
  readonly theme: ChartTheme;
  readonly size: ChartSize;
  /** A file that stands alone has its title in the picture. */
  readonly alone: boolean;
}

/** A typed artifact as a picture or as a table for other programs. @throws DomainError `not-found`. */
@Injectable()
export class GetChartFile {
  constructor(
    private readonly access: ProjectAccess,
    private readonly charts: ChartReader,
    private readonly renderer: ChartRenderer,
  ) {}

  async svg(actor: Actor, { projectId, id, theme, size, alone }: ChartPicture): Promise<ChartFile> {
    const chart = await this.read(actor, { projectId, id });
    const content = this.renderer.svg({
      id,
      chart: chart.typed,
      title: chart.title,
      description: chart.description ?? chartSummary(chart.typed),
      theme,
      size,
      titled: alone,
    });
    return { fileName: `${nameOf(chart)}.svg`, content };
  }

  async csv(actor: Actor, chart: OneChart): Promise<ChartFile> {
    const stored = await this.read(actor, chart);
    return { fileName: `${nameOf(stored)}.csv`, content: csvOf(chartData(stored.typed)) };
  }

  private async read(actor: Actor, { projectId, id }: OneChart): Promise<StoredChart> {
    await this.access.require(actor, projectId, 'read', 'Chart');
    return this.charts.read(projectId, id);
  }
}

function nameOf({ id, title, typed }: StoredChart): string {
  const words = toAscii(title ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${words || typed.type.replace('_', '-')}-${id}`;
}
