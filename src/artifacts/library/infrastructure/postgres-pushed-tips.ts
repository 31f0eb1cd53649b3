import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Database } from '#libs/persistence/database.js';
import { PushedTips } from '../application/ports/pushed-tips.js';
import type { Maker } from '../domain/artifact-types.js';

@Injectable()
export class PostgresPushedTips extends PushedTips {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async note(artifactId: string, revision: string, maker: Maker): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.pushed_tip (artifact_id, revision, maker_kind, maker, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (artifact_id, revision) DO UPDATE SET maker_kind = EXCLUDED.maker_kind, maker = EXCLUDED.maker`,
      [artifactId, revision, maker.kind, maker.personId, this.clock.now()],
    );
  }

  override async makerOf(artifactId: string, revision: string): Promise<Maker | null> {
    return this.database.one<Maker>(
      `SELECT maker_kind AS kind, maker AS "personId" FROM artifacts.pushed_tip WHERE artifact_id = $1 AND revision = $2`,
      [artifactId, revision],
    );
  }

  override async forget(artifactId: string): Promise<void> {
    await this.database.query('DELETE FROM artifacts.pushed_tip WHERE artifact_id = $1', [artifactId]);
  }
}
