import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';
import { DataExports, type ExportState } from '../ports/data-exports.js';

const WORKER_LATE_SECONDS = 60;

export interface ExportView {
  readonly id: string;
  readonly state: ExportState;
  readonly requestedAt: string;
  readonly expiresAt: string | null;
  readonly bytes: number | null;
  /** Path of the archive with its token, for its owner alone. */
  readonly downloadPath: string | null;
}

/** The own exports, newest first. */
@Injectable()
export class ListExports {
  constructor(
    private readonly exports: DataExports,
    private readonly secrets: SecretBox,
    private readonly database: Database,
  ) {}

  async execute(actor: PersonActor): Promise<{ exports: ExportView[]; workerSeemsDown: boolean }> {
    const exports = (await this.exports.ofPerson(actor.personId)).map((row) => ({
      id: row.id,
      state: row.state,
      requestedAt: row.requestedAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      bytes: row.bytes,
      downloadPath:
        row.tokenSealed === null
          ? null
          : `/account/exports/${row.id}/download?token=${this.secrets.open(row.tokenSealed)}`,
    }));
    const worker = await this.database.one(
      `SELECT 1 FROM platform.process_heartbeats
       WHERE role IN ('worker', 'all') AND seen_at > now() - make_interval(secs => ${WORKER_LATE_SECONDS})`,
    );
    return { exports, workerSeemsDown: worker === null };
  }
}
