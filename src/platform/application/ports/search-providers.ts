import type { AccessLevel } from '#libs/kernel/ports/project-access.js';
import type { SearchQuery } from '../../domain/search-query.js';

export type { SearchQuery } from '../../domain/search-query.js';
export { soughtWords } from '../../domain/search-query.js';

/** Results of one kind on a page. */
export const RESULTS_A_PAGE = 10;

/** A thing that was found. */
export interface SearchResult {
  readonly kind: 'card' | 'document';
  readonly projectId: string;
  readonly title: string;
  /** The title as escaped HTML, in which `<mark>` stands round the words that were found, and no other tag. */
  readonly titleMarked: string;
  /** Path of the page. */
  readonly url: string;
  /** A passage of the text in the same form as `titleMarked`; null where there is no text. */
  readonly snippet: string | null;
  /** Number of a card. */
  readonly number: number | null;
  /** Status of a document. */
  readonly status: string | null;
  readonly finished: boolean;
  readonly archived: boolean;
  /** What it was asked for by: its number or its whole title. It stands before what only holds the words. */
  readonly named: 'number' | 'title' | null;
}

/**
 * What a context finds. It looks in these projects alone, whose readers the platform knows, and answers page `page`
 * (from 1) of at most `RESULTS_A_PAGE` results, best first. Never called without words and projects.
 */
export interface SearchProvider {
  readonly name: string;
  search(
    projectIds: readonly string[],
    query: SearchQuery,
    page: number,
  ): Promise<{ readonly results: readonly SearchResult[]; readonly hasMore: boolean }>;
}

/** A page that is found by its name. */
export interface SearchPage {
  readonly title: string;
  /** `project`: the path stands below the address of the project. */
  readonly of: 'project' | 'person' | 'instance';
  readonly path: string;
  /** Other words that people call it. */
  readonly also?: string;
  /** It is there while all of these are on. */
  readonly flags?: readonly string[];
  /** What the reader may do in the project; default `read`. */
  readonly level?: AccessLevel;
}

/** Contexts register at start what can be found in them; answers keep the order of registration. */
export class SearchProviders {
  private readonly registered: SearchProvider[] = [];
  private readonly known: SearchPage[] = [];

  register(provider: SearchProvider): void {
    this.registered.push(provider);
  }

  registerPages(pages: readonly SearchPage[]): void {
    this.known.push(...pages);
  }

  get all(): readonly SearchProvider[] {
    return this.registered;
  }

  get pages(): readonly SearchPage[] {
    return this.known;
  }
}
