import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type Publication, Publications } from '../application/ports/publications.js';

interface Row {
  readonly artifact_id: string;
  readonly project_id: string;
  readonly subdomain: string;
  readonly version_number: number | null;
  readonly published_at: Date;
  readonly published_by: string | null;
  readonly taken_down_reason: string | null;
}

const COLUMNS =
  'artifact_id, project_id, subdomain, version_number, published_at, published_by, taken_down_reason';

@Injectable()
export class PostgresPublications extends Publications {
  constructor(private readonly database: Database) {
    super();
  }

  override async of(
    artifactId: string,
    { lock }: { readonly lock: boolean } = { lock: false },
  ): Promise<Publication | null> {
    return toPublication(
      await this.database.one<Row>(
        `SELECT ${COLUMNS} FROM artifacts.publication WHERE artifact_id = $1 ${lock ? 'FOR UPDATE' : ''}`,
        [artifactId],
      ),
    );
  }

  override async bySubdomain(subdomain: string): Promise<Publication | null> {
    return toPublication(
      await this.database.one<Row>(`SELECT ${COLUMNS} FROM artifacts.publication WHERE subdomain = $1`, [
        subdomain,
      ]),
    );
  }

  override async add(publication: Publication): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO artifacts.publication (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING RETURNING 1`,
      valuesOf(publication),
    );
    return rows.length > 0;
  }

  override async save(publication: Publication): Promise<void> {
    await this.database.query(
      `UPDATE artifacts.publication
       SET version_number = $4, published_at = $5, published_by = $6, taken_down_reason = $7
       WHERE artifact_id = $1 AND project_id = $2 AND subdomain = $3`,
      valuesOf(publication),
    );
  }
}

function valuesOf(publication: Publication): unknown[] {
  const { artifactId, projectId, subdomain, version, publishedAt, publishedBy, takenDownReason } =
    publication;
  return [artifactId, projectId, subdomain, version, publishedAt, publishedBy, takenDownReason];
}

function toPublication(row: Row | null): Publication | null {
  return (
    row && {
      artifactId: row.artifact_id,
      projectId: row.project_id,
      subdomain: row.subdomain,
      version: row.version_number,
      publishedAt: row.published_at,
      publishedBy: row.published_by,
      takenDownReason: row.taken_down_reason,
    }
  );
}
