import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';

/** The projects that a person owns, and those of others that they work in. */
@Injectable()
export class ProjectsExport implements ExportContributor, OnModuleInit {
  readonly name = 'projects';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
    this.contributors.tellOwnedProjects((personId) => this.ownedBy(personId));
  }

  *files({ personId }: ExportSubject): Iterable<ExportedFile> {
    yield rowsFile(this.database, 'projects.json', OWN, [personId]);
    yield rowsFile(this.database, 'memberships.json', OF_OTHERS, [personId]);
  }

  private async ownedBy(personId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM projects.projects WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY id',
      [personId],
    );
    return rows.map(({ id }) => id);
  }
}

const OWN = `
  SELECT p.id, p.name, p.slug, p.description, p.domain, p.search_language AS "searchLanguage",
         p.allowed_origins AS "allowedOrigins", p.created_at AS "createdAt", p.updated_at AS "updatedAt",
         (SELECT coalesce(json_agg(json_build_object('personId', m.person_id, 'role', m.role, 'joinedAt', m.joined_at)
                                   ORDER BY m.joined_at), '[]')
          FROM projects.memberships m WHERE m.project_id = p.id) AS members
  FROM projects.projects p WHERE p.owner_id = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, p.id`;

const OF_OTHERS = `
  SELECT m.project_id AS "projectId", p.name AS "projectName", m.role, m.joined_at AS "joinedAt"
  FROM projects.memberships m JOIN projects.projects p ON p.id = m.project_id
  WHERE m.person_id = $1 AND p.owner_id <> $1 AND p.deleted_at IS NULL ORDER BY m.joined_at, m.project_id`;
