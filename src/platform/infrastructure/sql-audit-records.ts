import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { AuditRecords } from '../application/ports/audit-records.js';

@Injectable()
export class SqlAuditRecords extends AuditRecords {
  constructor(private readonly database: Database) {
    super();
  }

  override async deleteOlderThan(days: number, limit: number): Promise<number> {
    const gone = await this.database.query(
      `DELETE FROM platform.audit_events WHERE id IN (
         SELECT id FROM platform.audit_events WHERE at < now() - make_interval(days => $1)
         ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [days, limit],
    );
    return gone.length;
  }

  override async deleteOfActor(personId: string, limit: number): Promise<number> {
    const gone = await this.database.query(
      `DELETE FROM platform.audit_events WHERE id IN (
         SELECT id FROM platform.audit_events WHERE actor_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [personId, limit],
    );
    return gone.length;
  }
}
