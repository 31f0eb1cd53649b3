import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { LabelCounts, type SeriesCount } from './label-counts.js';

/** The series of a project by name. `series_list` leaves the ids out. */
@Injectable()
export class ListSeries {
  constructor(
    private readonly access: ProjectAccess,
    private readonly labels: LabelCounts,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string },
  ): Promise<{ readonly series: readonly SeriesCount[] }> {
    await this.access.require(actor, input.projectId, 'read');
    return { series: await this.labels.series(input.projectId) };
  }
}
