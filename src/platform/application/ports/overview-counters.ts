export type OverviewCount = 'people' | 'projects' | 'connections';

/** Counts of the admin overview. Contexts register theirs at start; one that is missing shows as null. */
export class OverviewCounters {
  private readonly counters = new Map<OverviewCount, () => Promise<number>>();

  register(name: OverviewCount, count: () => Promise<number>): void {
    this.counters.set(name, count);
  }

  async count(name: OverviewCount): Promise<number | null> {
    return this.counters.get(name)?.() ?? null;
  }
}
