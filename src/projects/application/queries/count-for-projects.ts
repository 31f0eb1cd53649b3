import { Injectable } from '@nestjs/common';
import { type ProjectCounts, ProjectHooks } from '../ports/project-hooks.js';

/** Counts and latest activity of many projects, one grouped query per context and kind. */
@Injectable()
export class CountForProjects {
  constructor(private readonly hooks: ProjectHooks) {}

  async execute(
    projectIds: readonly string[],
  ): Promise<Map<string, { counts: ProjectCounts; lastActivityAt: Date | null }>> {
    const result = new Map(
      projectIds.map((id) => [
        id,
        {
          counts: { openItems: null, openCards: null, documentsToReview: null } as ProjectCounts,
          lastActivityAt: null as Date | null,
        },
      ]),
    );
    if (projectIds.length === 0) return result;
    await Promise.all(
      this.hooks.counters.map(async (counters) => {
        const [counts, activity] = await Promise.all([
          counters.counts(projectIds),
          counters.lastActivity(projectIds),
        ]);
        for (const [id, entry] of result) {
          if (counts) entry.counts = { ...entry.counts, [counters.count]: counts.get(id) ?? 0 };
          const at = activity.get(id);
          if (at && (entry.lastActivityAt === null || at > entry.lastActivityAt)) entry.lastActivityAt = at;
        }
      }),
    );
    return result;
  }
}
