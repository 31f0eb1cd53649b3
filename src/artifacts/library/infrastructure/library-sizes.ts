import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { ProjectSizes } from '#src/projects/application/ports/project-hooks.js';

/** Files of artifacts, each content of a project once. */
@Injectable()
export class LibrarySizes extends ProjectSizes {
  constructor(private readonly database: Database) {
    super();
  }

  override async bytes(projectIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ id: string; bytes: number }>(
      'SELECT project_id AS id, bytes FROM artifacts.shelf WHERE project_id = ANY($1::uuid[])',
      [projectIds],
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }
}
