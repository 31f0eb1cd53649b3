import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { LabelCounts, type TagCount } from './label-counts.js';

/** The answer of `tag_list`: by name, unused ones with 0. */
@Injectable()
export class ListTags {
  constructor(
    private readonly access: ProjectAccess,
    private readonly labels: LabelCounts,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string },
  ): Promise<{ readonly tags: readonly TagCount[] }> {
    await this.access.require(actor, input.projectId, 'read');
    return { tags: await this.labels.tags(input.projectId) };
  }
}
