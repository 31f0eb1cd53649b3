import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { toAscii } from '#libs/kernel/ascii.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { csvOf } from '../../domain/chart-csv.js';
import { chartData } from '../../domain/chart-data.js';
import { chartSummary } from '../../domain/chart-summary.js';
import type { TypedArtifactType } from '../../domain/payload.js';
import { DrawnPictures } from '../drawn-pictures.js';
import { ChartRenderer, type ChartSize, type ChartTheme } from '../ports/chart-renderer.js';
import { ChartReader } from './chart-reader.js';

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
    private readonly pictures: DrawnPictures,
  ) {}

  async svg(actor: Actor, picture: ChartPicture): Promise<ChartFile> {
    const { projectId, id, theme, size, alone } = picture;
    await this.access.require(actor, projectId, 'read', 'Chart');
    const named = await this.charts.name(projectId, id);
    const key = [projectId, id, theme, size, alone].join(' ');
    const content = await this.pictures.get(key, () => this.draw(picture));
    return { fileName: `${nameOf(id, named)}.svg`, content };
  }

  private async draw({ projectId, id, theme, size, alone }: ChartPicture): Promise<string> {
    const chart = await this.charts.read(projectId, id);
    return this.renderer.svg({
      id,
      chart: chart.typed,
      title: chart.title,
      description: chart.description ?? chartSummary(chart.typed),
      theme,
      size,
      titled: alone,
    });
  }

  async csv(actor: Actor, { projectId, id }: OneChart): Promise<ChartFile> {
    await this.access.require(actor, projectId, 'read', 'Chart');
    const { title, typed } = await this.charts.read(projectId, id);
    const fileName = `${nameOf(id, { title, type: typed.type })}.csv`;
    return { fileName, content: csvOf(chartData(typed)) };
  }
}

function nameOf(
  id: number,
  { title, type }: { readonly title: string | null; readonly type: TypedArtifactType },
): string {
  const words = toAscii(title ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${words || type.replace('_', '-')}-${id}`;
}
