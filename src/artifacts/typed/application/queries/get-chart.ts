import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { DELETED_PERSON, PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { type ChartData, chartData, isDrawable } from '../../domain/chart-data.js';
import { chartSummary } from '../../domain/chart-summary.js';
import type { TypedArtifactType } from '../../domain/payload.js';
import { TypedLinks } from '../ports/typed-links.js';
import { ChartReader } from './chart-reader.js';
import { type ThreadAnswer, threadsByIds } from './thread-answers.js';

export interface ChartAnswer {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  readonly createdAt: string;
  readonly createdBy: { readonly id: string | null; readonly displayName: string };
  readonly url: string;
  readonly pictureUrl: string;
  readonly threadId: string;
  readonly thread: ThreadAnswer | null;
  /** Generated text alternative: type, series, range. */
  readonly summary: string;
  /** False when there is nothing to draw: the page shows the table. */
  readonly drawable: boolean;
  readonly payload: unknown;
  readonly data: ChartData;
  /** Neighbours in the same conversation. */
  readonly previous: number | null;
  readonly next: number | null;
  readonly canDelete: boolean;
}

/** One typed artifact for its page. @throws DomainError `not-found`. */
@Injectable()
export class GetChart {
  constructor(
    private readonly access: ProjectAccess,
    private readonly charts: ChartReader,
    private readonly people: PersonDirectory,
    private readonly database: Database,
    private readonly links: TypedLinks,
  ) {}

  async execute(
    actor: Actor,
    { projectId, id }: { readonly projectId: string; readonly id: number },
  ): Promise<ChartAnswer> {
    await this.access.require(actor, projectId, 'read', 'Chart');
    const chart = await this.charts.read(projectId, id);
    const { typed, createdBy } = chart;
    const [thread] = await threadsByIds(this.database, [chart.threadId]);
    const names = createdBy === null ? null : await this.people.names([createdBy]);
    return {
      id,
      type: typed.type,
      title: chart.title,
      description: chart.description,
      turnIndex: chart.turnIndex,
      createdAt: chart.createdAt.toISOString(),
      createdBy: { id: createdBy, displayName: names?.get(createdBy ?? '') ?? DELETED_PERSON },
      url: this.links.chart(projectId, id),
      pictureUrl: this.links.picture(projectId, id),
      threadId: chart.threadId,
      thread: thread ?? null,
      summary: chartSummary(typed),
      drawable: isDrawable(typed),
      payload: typed.payload,
      data: chartData(typed),
      ...(await this.neighbours(chart.threadId, id)),
      canDelete: await this.access.can(actor, projectId, 'contribute'),
    };
  }

  private async neighbours(
    threadId: string,
    id: number,
  ): Promise<{ readonly previous: number | null; readonly next: number | null }> {
    const row = await this.database.one<{ previous: number | null; next: number | null }>(
      `SELECT (SELECT max(id) FROM artifacts.typed_artifact WHERE thread_id = $1 AND id < $2) AS previous,
              (SELECT min(id) FROM artifacts.typed_artifact WHERE thread_id = $1 AND id > $2) AS next`,
      [threadId, id],
    );
    return row ?? { previous: null, next: null };
  }
}
