import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { Projects } from '../application/ports/projects.js';
import { Project, type ProjectState } from '../domain/project.js';

const COLUMNS = `id, owner_id AS "ownerId", name, slug, description, domain, search_language AS "searchLanguage",
  allowed_origins AS "allowedOrigins", readiness_guide_visible AS "readinessGuideVisible", version,
  created_at AS "createdAt", updated_at AS "updatedAt", deleted_at AS "deletedAt"`;

/** Projects as rows of `projects.projects`. */
@Injectable()
export class SqlProjects extends Projects {
  constructor(private readonly database: Database) {
    super();
  }

  override async lockOwner(ownerId: string): Promise<void> {
    this.database.requireTransaction();
    await this.database.query("SELECT pg_advisory_xact_lock(hashtextextended('projects.owner:' || $1, 0))", [
      ownerId,
    ]);
  }

  override async slugsOf(ownerId: string, exceptProjectId?: string): Promise<Set<string>> {
    const rows = await this.database.query<{ slug: string }>(
      'SELECT slug FROM projects.projects WHERE owner_id = $1 AND deleted_at IS NULL AND id IS DISTINCT FROM $2',
      [ownerId, exceptProjectId ?? null],
    );
    return new Set(rows.map((row) => row.slug));
  }

  override async add(project: Project): Promise<void> {
    const state = project.state;
    await this.database.query(
      `INSERT INTO projects.projects (id, owner_id, name, slug, description, domain, search_language, allowed_origins,
         readiness_guide_visible, version, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        state.id,
        state.ownerId,
        state.name,
        state.slug,
        state.description,
        state.domain,
        state.searchLanguage,
        state.allowedOrigins,
        state.readinessGuideVisible,
        state.version,
        state.createdAt,
        state.updatedAt,
      ],
    );
  }

  override async find(id: string): Promise<Project | null> {
    const row = await this.database.one<ProjectState>(
      `SELECT ${COLUMNS} FROM projects.projects WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [id],
    );
    return row && Project.restore(row);
  }

  override async ownedBy(ownerId: string): Promise<Project[]> {
    const rows = await this.database.query<ProjectState>(
      `SELECT ${COLUMNS} FROM projects.projects WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
      [ownerId],
    );
    return rows.map((row) => Project.restore(row));
  }

  override async save(project: Project): Promise<void> {
    const state = project.state;
    await this.database.query(
      `UPDATE projects.projects SET name = $2, slug = $3, description = $4, domain = $5, search_language = $6,
         allowed_origins = $7, readiness_guide_visible = $8, version = $9, updated_at = $10, deleted_at = $11,
         owner_id = $12
       WHERE id = $1`,
      [
        state.id,
        state.name,
        state.slug,
        state.description,
        state.domain,
        state.searchLanguage,
        state.allowedOrigins,
        state.readinessGuideVisible,
        state.version,
        state.updatedAt,
        state.deletedAt,
        state.ownerId,
      ],
    );
  }
}
