import { Injectable } from '@nestjs/common';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { localPath } from '../../domain/local-path.js';

/** Path of the page that opens after sign-in: the one asked for, else the last project, else the wizard. */
@Injectable()
export class WhereAfterSignIn {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  async execute(personId: string, next: string | null): Promise<string> {
    const wanted = localPath(next);
    if (wanted) return wanted;
    const projects = await this.access.projectsOf(personId, 'read');
    if (projects.length === 0) return '/welcome';
    const row = await this.database.one<{ last_project_id: string | null }>(
      'SELECT last_project_id FROM identity.persons WHERE id = $1',
      [personId],
    );
    const last = projects.find(({ id }) => id === row?.last_project_id) ?? projects[0]!;
    return `/projects/${last.id}`;
  }
}
