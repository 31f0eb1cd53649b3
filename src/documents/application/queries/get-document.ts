import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints } from '#libs/kernel/text.js';
import { Database } from '#libs/persistence/database.js';
import { SLICE_DEFAULT, SLICE_MAX, SLICE_MIN } from '../../domain/limits.js';
import { type Given, readId } from '../../domain/texts.js';
import { ReviewLinks } from '../ports/review-links.js';
import { DocumentReader } from './document-reader.js';

/** A slice ends at a line end when one is among its last characters, this share of it. */
const NEAR_END = 0.1;

export interface GetDocumentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  /** In code points, from 0. */
  readonly offset?: Given<number>;
  /** In code points; clamped to 1,000 to 200,000, default 60,000. */
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
    const length = wholeNumber(problems, 'length', input.length, SLICE_DEFAULT);
    problems.throwIfAny();
    const head = await this.reader.head(input.projectId, documentId);
    const slice = await this.slice(
      documentId,
      head.currentVersion,
      Math.min(Math.max(offset, 0), 2_000_000),
      Math.min(Math.max(length, SLICE_MIN), SLICE_MAX),
    );
    return {
      documentId,
      title: head.title,
      status: head.status,
      archived: head.archived,
      archiveReason: head.archiveReason,
      version: head.currentVersion,
      versionDescription: slice.description,
      language: head.language,
      markdown: slice.markdown,
      offset: slice.offset,
      nextOffset: slice.nextOffset,
      totalCharacters: slice.total,
      tags: head.tags,
      series: head.series,
      seriesOrdinal: head.seriesOrdinal,
      ...(await this.reader.links(documentId)),
      reviewUrl: this.links.review(head.projectId, documentId),
    };
  }

  private async slice(documentId: string, version: number, offset: number, length: number) {
    const row = (await this.database.one<{ description: string | null; markdown: string; total: number }>(
      `SELECT description, substr(markdown, $3::int + 1, $4::int) AS markdown, char_length(markdown) AS total
       FROM documents.document_version WHERE document_id = $1 AND number = $2`,
      [documentId, version, offset, length],
    ))!;
    const { description, total } = row;
    const last = offset + length >= total;
    const markdown = last ? row.markdown : toLineEnd(row.markdown);
    return {
      description,
      markdown,
      total,
      offset,
      nextOffset: last ? null : offset + codePoints(markdown),
    };
  }
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
