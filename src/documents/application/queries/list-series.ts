import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ANSWER_CHARACTERS } from '#libs/kernel/answer-size.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { LabelCounts, mostUsedWithin, type SeriesCount } from './label-counts.js';

/** JSON around the list, in characters. */
const FRAME = 40;

/** The series of a project by name. `series_list` leaves the ids out. `brief` keeps to the size of one answer and counts what it leaves out. */
@Injectable()
export class ListSeries {
  constructor(
    private readonly access: ProjectAccess,
    private readonly labels: LabelCounts,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly brief?: boolean },
  ): Promise<{ readonly series: readonly SeriesCount[]; readonly leftOut?: number }> {
    await this.access.require(actor, input.projectId, 'read');
    const all = await this.labels.series(input.projectId);
    if (!input.brief) return { series: all };
    const kept = mostUsedWithin(all, ANSWER_CHARACTERS - FRAME);
    return { series: kept, ...(kept.length < all.length && { leftOut: all.length - kept.length }) };
  }
}
