import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Database } from '#libs/persistence/database.js';
import { PreviewHosts } from '../application/ports/preview-hosts.js';

@Injectable()
export class PostgresPreviewHosts extends PreviewHosts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async of(projectId: string): Promise<readonly string[]> {
    const row = await this.database.one<{ readonly preview_hosts: string[] }>(
      'SELECT preview_hosts FROM artifacts.shelf WHERE project_id = $1',
      [projectId],
    );
    return row?.preview_hosts ?? [];
  }

  override async replace(projectId: string, origins: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.shelf (project_id, preview_hosts, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (project_id) DO UPDATE SET preview_hosts = excluded.preview_hosts`,
      [projectId, [...origins], this.clock.now()],
    );
  }
}
