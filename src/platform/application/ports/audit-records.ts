/** Upkeep of the audit log; nothing else may take records away. */
export abstract class AuditRecords {
  /** Deletes at most `limit` records older than `days`, and says how many. */
  abstract deleteOlderThan(days: number, limit: number): Promise<number>;
  /** Deletes at most `limit` records of which a person, or a connection of theirs, is the actor; says how many. */
  abstract deleteOfActor(personId: string, limit: number): Promise<number>;
}
