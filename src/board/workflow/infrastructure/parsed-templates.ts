import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type LibraryTemplate, TemplateLibrary } from '../application/ports/template-library.js';
import { parseTemplate } from '../domain/parse-template.js';

/**
 * Templates that projects are bound to, parsed once a process. They are found by the digest of their data, so most
 * reads of a workflow need no look at the stored template.
 */
@Injectable()
export class ParsedTemplates {
  private readonly byDigest = new Map<string, LibraryTemplate>();

  constructor(
    private readonly database: Database,
    library: TemplateLibrary,
  ) {
    for (const entry of library.newest()) this.byDigest.set(entry.digest, entry);
  }

  /** The template with this digest, which a project is bound to. */
  async of(digest: string, projectId: string): Promise<LibraryTemplate> {
    const known = this.byDigest.get(digest);
    if (known) return known;
    const row = await this.database.one<{ snapshot: unknown }>(
      'SELECT snapshot FROM board.project_workflow WHERE project_id = $1',
      [projectId],
    );
    const data = row?.snapshot;
    const { template, faults } = parseTemplate(data, true);
    if (faults.length > 0) {
      const [fault] = faults;
      throw new Error(
        `The stored template of project ${projectId} cannot be read: ${fault?.path} ${fault?.sentence}`,
      );
    }
    const parsed = { template, data, digest };
    this.byDigest.set(digest, parsed);
    return parsed;
  }
}
