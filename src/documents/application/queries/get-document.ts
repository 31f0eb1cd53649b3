import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ANSWER_CHARACTERS, beginningWithin, firstWithin, jsonLength } from '#libs/kernel/answer-size.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints } from '#libs/kernel/text.js';
import { Database } from '#libs/persistence/database.js';
import { SLICE_MAX, SLICE_MIN } from '../../domain/limits.js';
import { type Given, readId } from '../../domain/texts.js';
import { ReviewLinks } from '../ports/review-links.js';
import { type DocumentLinks, DocumentReader } from './document-reader.js';

/** A slice ends at a line end when one is among its last characters, this share of it. */
const NEAR_END = 0.1;

/** Of an answer without `length`, what each list of links may take, in characters of JSON. */
const LINKS = 4_000;

export interface GetDocumentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  /** In code points, from 0. */
  readonly offset?: Given<number>;
  /** In code points; clamped to 1,000 to 200,000. Without it the whole answer stays below 20,000 characters. */
  readonly length?: Given<number>;
}

/** The answer of `document_get`: the facts and one slice of the Markdown. @throws InvalidInput; DomainError `not-found`. */
@Injectable()
export class GetDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly database: Database,
    private readonly links: ReviewLinks,
  ) {}

  async execute(actor: Actor, input: GetDocumentInput) {
    await this.access.require(actor, input.projectId, 'read');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const offset = wholeNumber(problems, 'offset', input.offset, 0);
    const length = wholeNumber(problems, 'length', input.length, ANSWER_CHARACTERS);
    problems.throwIfAny();
    const head = await this.reader.head(input.projectId, documentId);
    const links = await this.reader.links(documentId);
    const text = await this.text(
      documentId,
      head.currentVersion,
      Math.min(Math.max(offset, 0), 2_000_000),
      Math.min(Math.max(length, SLICE_MIN), SLICE_MAX),
    );
    const answer = (slice: { readonly markdown: string; readonly nextOffset: number | null }) => ({
      documentId,
      title: head.title,
      status: head.status,
      archived: head.archived,
      archiveReason: head.archiveReason,
      version: head.currentVersion,
      versionDescription: text.description,
      language: head.language,
      markdown: slice.markdown,
      offset: text.offset,
      nextOffset: slice.nextOffset,
      totalCharacters: text.total,
      tags: head.tags,
      series: head.series,
      seriesOrdinal: head.seriesOrdinal,
      ...(input.length == null ? briefLinks(links) : links),
      reviewUrl: this.links.review(head.projectId, documentId),
    });
    const room =
      input.length == null
        ? ANSWER_CHARACTERS - jsonLength(answer({ markdown: '', nextOffset: text.total }))
        : Number.POSITIVE_INFINITY;
    return answer(sliceOf(text, Math.max(room, SLICE_MIN)));
  }

  private async text(documentId: string, version: number, offset: number, length: number): Promise<TextPart> {
    const row = (await this.database.one<Omit<TextPart, 'offset'>>(
      `SELECT description, substr(markdown, $3::int + 1, $4::int) AS markdown, char_length(markdown) AS total
       FROM documents.document_version WHERE document_id = $1 AND number = $2`,
      [documentId, version, offset, length],
    ))!;
    return { ...row, offset };
  }
}

interface TextPart {
  readonly description: string | null;
  readonly markdown: string;
  /** Code points of the whole text. */
  readonly total: number;
  readonly offset: number;
}

/** The text, cut to `room` characters of JSON, at a line end where one is near. */
function sliceOf({ markdown, offset, total }: TextPart, room: number) {
  const fitting = room === Number.POSITIVE_INFINITY ? markdown : beginningWithin(markdown, room);
  const whole = offset + codePoints(fitting) >= total;
  const slice = whole ? fitting : toLineEnd(fitting);
  return { markdown: slice, nextOffset: whole ? null : offset + codePoints(slice) };
}

/** Links with the number of those that are left out, when any are. */
function briefLinks({ references, referencedBy }: DocumentLinks) {
  const out = firstWithin(references, LINKS);
  const back = firstWithin(referencedBy, LINKS);
  return {
    references: out,
    ...(out.length < references.length && { referencesLeftOut: references.length - out.length }),
    referencedBy: back,
    ...(back.length < referencedBy.length && { referencedByLeftOut: referencedBy.length - back.length }),
  };
}

function toLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end >= text.length * (1 - NEAR_END) ? text.slice(0, end + 1) : text;
}

/** Out of range is clamped by the caller, as for pages; what is no whole number is refused. */
function wholeNumber(problems: Problems, argument: string, value: Given<number>, otherwise: number): number {
  if (value === null || value === undefined) return otherwise;
  if (!Number.isInteger(value)) problems.add(argument, 'Give a whole number.');
  return value;
}
