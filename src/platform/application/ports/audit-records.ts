/** Upkeep of the audit log; nothing else may take records away. */
export abstract class AuditRecords {
  /** Deletes at most `limit` records older than `days`, and says how many. */
  abstract deleteOlderThan(days: number, limit: number): Promise<number>;
}
