import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ANSWER_CHARACTERS } from '#libs/kernel/answer-size.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { LabelCounts, mostUsedWithin, type TagCount } from './label-counts.js';

/** JSON around the list, in characters. */
const FRAME = 40;

/** The answer of `tag_list`: by name, unused ones with 0. `brief` keeps to the size of one answer and counts what it leaves out. */
@Injectable()
export class ListTags {
  constructor(
    private readonly access: ProjectAccess,
    private readonly labels: LabelCounts,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly brief?: boolean },
  ): Promise<{ readonly tags: readonly TagCount[]; readonly leftOut?: number }> {
    await this.access.require(actor, input.projectId, 'read');
    const all = await this.labels.tags(input.projectId);
    if (!input.brief) return { tags: all };
    const kept = mostUsedWithin(all, ANSWER_CHARACTERS - FRAME);
    return { tags: kept, ...(kept.length < all.length && { leftOut: all.length - kept.length }) };
  }
}
