import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';

/** The settings of a project as they are stored. */
export interface ProjectSettings {
  readonly id: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly domain: string | null;
  readonly searchLanguage: string;
  readonly allowedOrigins: readonly string[];
  readonly readinessGuideVisible: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `id, owner_id AS "ownerId", slug, name, description, domain, search_language AS "searchLanguage",
  allowed_origins AS "allowedOrigins", readiness_guide_visible AS "readinessGuideVisible", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The settings of one project. */
@Injectable()
export class GetProjectSettings {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /** @throws DomainError `not-found`. */
  async execute(actor: Actor, projectId: string): Promise<ProjectSettings> {
    await this.access.require(actor, projectId, 'read');
    const [settings] = await this.database.hot<ProjectSettings>(
      `SELECT ${COLUMNS} FROM projects.projects WHERE id = $1 AND deleted_at IS NULL`,
      [projectId],
    );
    if (!settings) throw notFound('Project');
    return settings;
  }
}
