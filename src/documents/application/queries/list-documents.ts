import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints } from '#libs/kernel/text.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../../domain/document.js';
import { SEARCH_CHARACTERS } from '../../domain/limits.js';
import type { Given } from '../../domain/texts.js';
import { DocumentListing } from './document-listing.js';

export interface ListDocumentsInput {
  readonly projectId: string;
  /** Clamped: from 1; up to 100 a page, default 50. */
  readonly page?: Given<number>;
  readonly perPage?: Given<number>;
  readonly includeArchived?: Given<boolean>;
  readonly search?: Given<string>;
  readonly status?: Given<string>;
  readonly tag?: Given<string>;
  readonly series?: Given<string>;
}

/** The answer of `document_list`. */
export interface DocumentList {
  readonly documents: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly status: DocumentStatus;
    readonly currentVersion: number;
    readonly versionDescription: string | null;
    readonly archived: boolean;
    readonly tags: readonly string[];
    readonly series: string | null;
    readonly seriesOrdinal: number | null;
  }[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** Documents of a project, by recency, by relevance under a search, by position in a series. @throws InvalidInput. */
@Injectable()
export class ListDocuments {
  constructor(
    private readonly access: ProjectAccess,
    private readonly listing: DocumentListing,
  ) {}

  async execute(actor: Actor, input: ListDocumentsInput): Promise<DocumentList> {
    await this.access.require(actor, input.projectId, 'read');
    const problems = new Problems();
    const search = readSearch(problems, 'search', input.search);
    const status = readStatus(problems, 'status', input.status);
    problems.throwIfAny();
    const paging = clampPage(input.page ?? undefined, input.perPage ?? undefined, { defaultPerPage: 50 });
    const filter = {
      search,
      status,
      tag: given(input.tag),
      series: given(input.series),
      archived: input.includeArchived ?? false,
    };
    const { documents, total } = await this.listing.page(input.projectId, filter, paging);
    return {
      documents: documents.map((document) => ({
        documentId: document.id,
        title: document.title,
        status: document.status,
        currentVersion: document.version,
        versionDescription: document.versionDescription,
        archived: document.archived,
        tags: document.tags,
        series: document.series,
        seriesOrdinal: document.seriesOrdinal,
      })),
      ...paging,
      total,
      hasMore: paging.page * paging.perPage < total,
    };
  }
}

/** Words of a search; blank ones are none. */
export function readSearch(problems: Problems, argument: string, value: Given<string>): string | null {
  const search = given(value?.toString().replaceAll('\u0000', ' '));
  if (search !== null && codePoints(search) > SEARCH_CHARACTERS)
    problems.add(argument, `Search for at most ${SEARCH_CHARACTERS} characters.`);
  return search;
}

function readStatus(problems: Problems, argument: string, value: Given<string>): DocumentStatus | null {
  const status = given(value);
  if (status === null) return null;
  const known = DOCUMENT_STATUSES.find((name) => name === status);
  if (!known)
    problems.add(argument, `Unknown status "${status}". Use one of: ${DOCUMENT_STATUSES.join(', ')}.`);
  return known ?? null;
}

/** A filter that is blank is none. */
export function given(value: Given<string>): string | null {
  const text = (value ?? '').replaceAll('\u0000', '').trim();
  return text === '' ? null : text;
}
