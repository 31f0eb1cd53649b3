import { Injectable, Logger } from '@nestjs/common';
import { notFound, type Problems } from '#libs/kernel/errors.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { SearchLanguages } from './ports/search-languages.js';

const FALLBACK = 'simple';

/** The search language that a new document gets. */
@Injectable()
export class Languages {
  private readonly logger = new Logger('documents');

  constructor(
    private readonly installed: SearchLanguages,
    private readonly projects: ProjectDirectory,
  ) {}

  /** The named one, or the default of the project; `simple` when that default is no longer installed. */
  async choose(problems: Problems, projectId: string, wanted: string | null | undefined): Promise<string> {
    const names = await this.installed.names();
    const name = (wanted ?? '').trim().toLowerCase();
    if (name !== '') {
      if (!names.includes(name))
        problems.add('language', `Unknown search language "${name}". Use one of: ${names.join(', ')}.`);
      return name;
    }
    const project = (await this.projects.byIds([projectId])).get(projectId);
    if (!project) throw notFound('Project');
    if (names.includes(project.searchLanguage)) return project.searchLanguage;
    this.logger.warn({
      msg: 'The search language of a project is gone, using simple',
      projectId,
      language: project.searchLanguage,
    });
    return FALLBACK;
  }
}
