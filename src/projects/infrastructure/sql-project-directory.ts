import { Injectable } from '@nestjs/common';
import { ProjectDirectory, type ProjectFacts } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import { originCovers } from '../domain/allowed-origin.js';

/** Facts of projects from `projects.projects`. */
@Injectable()
export class SqlProjectDirectory extends ProjectDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  override async byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<ProjectFacts>(
      `SELECT id, slug, name, owner_id AS "ownerId", search_language AS "searchLanguage"
         FROM projects.projects WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  override async allowsOrigin(projectId: string, origin: string): Promise<boolean> {
    const row = await this.database.one<{ allowed: string[] }>(
      'SELECT allowed_origins AS allowed FROM projects.projects WHERE id = $1 AND deleted_at IS NULL',
      [projectId],
    );
    return row?.allowed.some((allowed) => originCovers(allowed, origin)) ?? false;
  }
}
