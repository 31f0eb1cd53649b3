import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import {
  includesLevel,
  levelOfRole,
  ProjectAccess,
  type ProjectSummary,
} from '#libs/kernel/ports/project-access.js';
import { readSearchQuery, type SearchQuery, soughtWords } from '../../domain/search-query.js';
import {
  RESULTS_A_PAGE,
  type SearchPage,
  SearchProviders,
  type SearchResult,
} from '../ports/search-providers.js';

export interface FoundPage {
  readonly title: string;
  readonly url: string;
}

export interface FoundResult extends Omit<SearchResult, 'named'> {
  readonly projectName: string;
}

export interface SearchAnswer {
  /** On the first page only. */
  readonly pages: readonly FoundPage[];
  readonly results: readonly FoundResult[];
  readonly page: number;
  readonly hasMore: boolean;
  /** What was looked for: the words as they were given, or their first 200 characters. */
  readonly query: string;
  readonly cut: boolean;
}

export interface SearchInput {
  readonly query: string;
  /** Null looks in all projects of the reader. */
  readonly projectId: string | null;
  readonly page: number | null;
}

/** Behind it nobody pages. */
const LAST_PAGE = 1_000;

/** Projects whose names match, in a search of all. */
const PROJECT_PAGES = 10;

/** Pages, cards and documents of one project or of all that the person may read (`platform.md` 10). */
@Injectable()
export class SearchAll {
  constructor(
    private readonly access: ProjectAccess,
    private readonly flags: Flags,
    private readonly providers: SearchProviders,
  ) {}

  /** @throws DomainError `not-found` for a project that the person may not read. */
  async execute(actor: PersonActor, input: SearchInput): Promise<SearchAnswer> {
    const query = readSearchQuery(input.query);
    const page = Math.max(Math.trunc(input.page ?? 1), 1);
    const all = await this.access.projectsOf(actor.personId, 'read');
    const one = input.projectId === null ? null : all.find(({ id }) => id === input.projectId);
    if (one === undefined) throw notFound('Project');
    const { results, hasMore } = await this.things(one ? [one] : all, query, page);
    return {
      pages: page === 1 ? this.pages(actor, one, all, query) : [],
      results,
      page,
      hasMore,
      query: query.text,
      cut: query.cut,
    };
  }

  private async things(
    projects: readonly ProjectSummary[],
    query: SearchQuery,
    page: number,
  ): Promise<Pick<SearchAnswer, 'results' | 'hasMore'>> {
    if (query.text === '' || projects.length === 0 || page > LAST_PAGE)
      return { results: [], hasMore: false };
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    const ids = [...names.keys()];
    const answers = await Promise.all(
      this.providers.all.map((provider) => provider.search(ids, query, page)),
    );
    const results = answers.flatMap((answer) => answer.results.slice(0, RESULTS_A_PAGE));
    const inOrder = (['number', 'title', null] as const).flatMap((by) =>
      results.filter(({ named }) => named === by),
    );
    return {
      results: inOrder.flatMap(({ named, ...result }) => {
        const projectName = names.get(result.projectId);
        return projectName === undefined ? [] : [{ ...result, projectName }];
      }),
      hasMore: page < LAST_PAGE && answers.some((answer) => answer.hasMore),
    };
  }

  /** Without words those of the project, or outside of one those of the person; with words all that are called so. */
  private pages(
    actor: PersonActor,
    project: ProjectSummary | null,
    all: readonly ProjectSummary[],
    { text }: SearchQuery,
  ): FoundPage[] {
    const words = soughtWords(text).map(plain);
    const called = (name: string) => words.length > 0 && words.every((word) => plain(name).includes(word));
    const shown = (page: SearchPage): boolean => {
      if (!(page.flags ?? []).every((flag) => this.flags.isOn(flag))) return false;
      if (page.of === 'instance' && !actor.isAdmin) return false;
      if (page.of === 'project') {
        if (!project || !includesLevel(levelOfRole(project.role), page.level ?? 'read')) return false;
      }
      return text === ''
        ? page.of === (project ? 'project' : 'person')
        : called(`${page.title} ${page.also ?? ''}`);
    };
    const pages = this.providers.pages.filter(shown).map(({ title, path, of }) => ({
      title,
      url: of === 'project' ? `/projects/${project?.id}${path}` : path,
    }));
    if (project) return pages;
    const projects = all
      .filter(({ name }) => called(name))
      .slice(0, PROJECT_PAGES)
      .map(({ id, name }) => ({ title: name, url: `/projects/${id}` }));
    return [...projects, ...pages];
  }
}

/** Lower case without marks, so that "cafe" finds "Café". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
