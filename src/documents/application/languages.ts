import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { notFound, type Problems } from '#libs/kernel/errors.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { quoted } from '#libs/kernel/text.js';
import { SearchLanguages } from '#src/projects/application/ports/search-languages.js';

const FALLBACK = 'simple';

/** The installed languages change only with the server, so they are asked for once a minute at most. */
const KEPT_MILLISECONDS = 60_000;

/** Search languages of documents. */
@Injectable()
export class Languages {
  private readonly logger = new Logger('documents');
  private known: { readonly names: readonly string[]; readonly until: number } | null = null;

  constructor(
    private readonly searchLanguages: SearchLanguages,
    private readonly projects: ProjectDirectory,
    private readonly clock: Clock,
  ) {}

  async installed(): Promise<readonly string[]> {
    const now = this.clock.now().getTime();
    if (!this.known || this.known.until <= now)
      this.known = { names: await this.searchLanguages.names(), until: now + KEPT_MILLISECONDS };
    return this.known.names;
  }

  /** For a new document: the named one, or the default of the project; `simple` when that is no longer installed. */
  async choose(problems: Problems, projectId: string, wanted: string | null | undefined): Promise<string> {
    const names = await this.installed();
    const name = (wanted ?? '').trim().toLowerCase();
    if (name !== '') {
      if (!names.includes(name))
        problems.add('language', `Unknown search language ${quoted(name)}. Use one of: ${names.join(', ')}.`);
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
