/** What identity tells about who did something. */
export interface ActorNameSource {
  /** Display names by person id; unknown people are left out. */
  personNames(ids: readonly string[]): Promise<Map<string, string>>;
  /** Name of the app of a connection, or null. */
  connectionName(connectionId: string): Promise<string | null>;
}

/** Names for audit records and the flags page. Identity registers its source at start; until then there are none. */
export class ActorNames {
  private source: ActorNameSource | null = null;

  register(source: ActorNameSource): void {
    this.source = source;
  }

  async personNames(ids: readonly string[]): Promise<Map<string, string>> {
    if (this.source === null || ids.length === 0) return new Map();
    return this.source.personNames([...new Set(ids)]);
  }

  async connectionName(connectionId: string): Promise<string | null> {
    return this.source?.connectionName(connectionId) ?? null;
  }
}
