import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { firstWithin, jsonLength, shortened } from '#libs/kernel/answer-size.js';
import { Problems } from '#libs/kernel/errors.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints, quoted } from '#libs/kernel/text.js';
import { readable } from '#libs/kernel/words.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../../domain/document.js';
import { SEARCH_CHARACTERS } from '../../domain/limits.js';
import type { Given } from '../../domain/texts.js';
import { DocumentListing, type ListedDocument } from './document-listing.js';
import { PHRASE_CHECKS } from './document-words.js';

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

/** A document in a list; long texts end with an ellipsis, and tags that are left out are counted. */
export interface DocumentSummary {
  readonly documentId: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly currentVersion: number;
  readonly versionDescription: string | null;
  readonly archived: boolean;
  readonly tags: readonly string[];
  readonly tagsLeftOut?: number;
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
}

/** JSON of one summary, in characters: the default page of 50 stays below the 20,000 of an answer. */
const SUMMARY_CHARACTERS = 390;

/** What titles keep of it, whatever else there is to say. */
const TITLE_SHARE = 80;

/** The answer of `document_list`. */
export interface DocumentList {
  readonly documents: readonly DocumentSummary[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
  /** Where a search for a phrase did not look, and what to do about it; absent when it looked everywhere. */
  readonly note?: string;
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
      waiting: false,
    };
    const { documents, total, unchecked } = await this.listing.page(input.projectId, filter, paging);
    return {
      documents: documents.map(summaryOf),
      ...paging,
      total,
      hasMore: paging.page * paging.perPage < total,
      ...noteOf(unchecked),
    };
  }
}

/** First the description gives way, then the end of the title, then tags. */
function summaryOf(document: ListedDocument): DocumentSummary {
  const whole: DocumentSummary = {
    documentId: document.id,
    title: document.title,
    status: document.status,
    currentVersion: document.version,
    versionDescription: document.versionDescription,
    archived: document.archived,
    tags: document.tags,
    series: document.series,
    seriesOrdinal: document.seriesOrdinal,
  };
  let room = SUMMARY_CHARACTERS - jsonLength(whole);
  if (room >= 0) return whole;
  const shorter = (text: string | null, least: number): string | null => {
    if (text === null || room >= 0) return text;
    const before = jsonLength(text) - 2;
    const after = shortened(text, Math.max(before + room, least));
    room += before - (jsonLength(after) - 2);
    return after;
  };
  const versionDescription = shorter(whole.versionDescription, 1);
  const title = shorter(whole.title, TITLE_SHARE) ?? '';
  if (room >= 0) return { ...whole, title, versionDescription };
  const tags = firstWithin(whole.tags, Math.max(jsonLength(whole.tags) - 1 + room - 20, 0));
  return { ...whole, title, versionDescription, tags, tagsLeftOut: whole.tags.length - tags.length };
}

/** What to say of documents that hold the words of a phrase and were not looked into. */
export function noteOf(unchecked: number): { note?: string } {
  if (unchecked === 0) return {};
  const all = (PHRASE_CHECKS + unchecked).toLocaleString('en');
  return {
    note: `The phrase was looked for in the newest ${PHRASE_CHECKS.toLocaleString('en')} of ${all} documents that hold its words. To reach older ones, add a word or a filter.`,
  };
}

/** Words of a search; blank ones are none. */
export function readSearch(problems: Problems, argument: string, value: Given<string>): string | null {
  const search = given(value == null ? value : readable(value.replaceAll('\u0000', ' ')));
  if (search !== null && codePoints(search) > SEARCH_CHARACTERS)
    problems.add(argument, `Search for at most ${SEARCH_CHARACTERS} characters.`);
  return search;
}

function readStatus(problems: Problems, argument: string, value: Given<string>): DocumentStatus | null {
  const status = given(value);
  if (status === null) return null;
  const known = DOCUMENT_STATUSES.find((name) => name === status);
  if (!known)
    problems.add(argument, `Unknown status ${quoted(status)}. Use one of: ${DOCUMENT_STATUSES.join(', ')}.`);
  return known ?? null;
}

/** A filter that is blank is none. */
export function given(value: Given<string>): string | null {
  const text = (value ?? '').replaceAll('\u0000', '').trim();
  return text === '' ? null : text;
}
