import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CreateDocument } from '#src/documents/application/commands/create-document.js';
import { MarkCommentsAddressed } from '#src/documents/application/commands/mark-comments-addressed.js';
import { PublishDocument } from '#src/documents/application/commands/publish-document.js';
import { ReplyToComment } from '#src/documents/application/commands/reply-to-comment.js';
import { ReviseDocument } from '#src/documents/application/commands/revise-document.js';
import { SetDocumentHighlights } from '#src/documents/application/commands/set-document-highlights.js';
import { GetDocument } from '#src/documents/application/queries/get-document.js';
import { GetReview } from '#src/documents/application/queries/get-review.js';
import { ListDocuments } from '#src/documents/application/queries/list-documents.js';
import { id, list, oneOf, paging, text, whole, yesNo } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const STATUSES = ['draft', 'in-review', 'approved', 'changes-requested'];

const title = () => text('One line', { maxLength: 255 });
const markdown = () => text('Whole text, up to 1,048,575 bytes; no # title, begin with content or ##');
const documentId = () => id('From document_list');
const references = (description: string) => list(id('A document'), { description, maxItems: 50 }).optional();
const ordinal = () => whole('Place in the series, from 1', { minimum: 1 }).optional();

/** What all of these tools share. */
const shared = { flags: [], checksArguments: true } as const;

/** Tools of documents and their review. */
@Injectable()
export class DocumentTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    create: CreateDocument,
    revise: ReviseDocument,
    publish: PublishDocument,
    get: GetDocument,
    listDocuments: ListDocuments,
    getReview: GetReview,
    reply: ReplyToComment,
    markAddressed: MarkCommentsAddressed,
    highlight: SetDocumentHighlights,
  ) {
    super();
    this.tools = [
      tool({
        ...shared,
        name: 'document_create',
        title: 'Create document',
        description:
          'Submits a new Markdown document, such as a plan, for review by people. Make it a draft when more changes follow, and document_publish last. To change one use document_revise, never a second one. A choice that people click: a line <!-- decision: some-id -->, the question, a list of one-line options, a line <!-- /decision -->. At most one option ends in (recommended: high), moderate or low; reasons go above, and the id stays for good. Returns documentId, reviewUrl to show to the person, status, and warnings.',
        level: 'contribute',
        failure: 'The document could not be created. The error has been logged.',
        input: z.strictObject({
          title: title(),
          markdown: markdown(),
          description: text('What it is and settles', { maxLength: 2000 }).optional(),
          draft: yesNo('Keep it out of review', false).optional(),
          language: text('Search language; default is that of the project').optional(),
          tags: list(text('A tag', { maxLength: 50 }), {
            description: 'Read tag_list first; new names are created',
            maxItems: 20,
          }).optional(),
          references: references('Documents this one follows, answers or replaces'),
          series: text('Series it belongs to; needs seriesOrdinal', { maxLength: 100 }).optional(),
          seriesOrdinal: ordinal(),
        }),
        handle: ({ actor, projectId }, input) => create.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_revise',
        title: 'Revise document',
        description:
          'Stores a new version with the whole new text, back in review; a draft stays a draft. Act on document_get_review, reply and mark comments first: their ids change. Once a round is enough. Open threads move along; those whose passage is gone are orphaned. The same call again makes no version. Returns version, status, and how many threads stayed, moved or lost their words.',
        level: 'contribute',
        failure: 'The document could not be revised. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          markdown: markdown(),
          description: text('What changed and why, for a reader of the last version', { maxLength: 2000 }),
          title: title().optional(),
          references: references('Whole new set; [] clears, omit to keep'),
          series: text('Omit to keep; "" takes it out; a name needs seriesOrdinal', {
            maxLength: 100,
          }).optional(),
          seriesOrdinal: ordinal(),
          baseVersion: whole('Refuse unless the document is still at this version', {
            minimum: 1,
          }).optional(),
        }),
        handle: ({ actor, projectId }, input) => revise.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_publish',
        title: 'Publish draft',
        description:
          'Sends a draft to review, where people see it as waiting for them. Makes no version: to change the text use document_revise. What is no draft stays as it is (published: false). Returns documentId, status and published.',
        level: 'contribute',
        idempotent: true,
        failure: 'The document could not be published. The error has been logged.',
        input: z.strictObject({ documentId: documentId() }),
        handle: ({ actor, projectId }, input) => publish.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_get',
        title: 'Read document',
        description:
          'Reads one document: facts, tags, series, references both ways, and the Markdown of its current version. A long text comes in slices: go on with offset = nextOffset until it is null. For what people said about it use document_get_review; to find one, document_list.',
        level: 'read',
        failure: 'The document could not be read. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          offset: whole('First character of the slice', { minimum: 0, default: 0 }).optional(),
          length: whole('Characters of the slice; default what fits an answer of 20,000', {
            minimum: 1000,
            maximum: 200_000,
          }).optional(),
        }),
        handle: ({ actor, projectId }, input) => get.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_list',
        title: 'List documents',
        description:
          'Lists and searches documents in short: without their text, long titles and descriptions cut (…). Filters combine; a search orders by relevance, a series by position, else newest first. Returns documents with status, currentVersion, tags and series, total and hasMore. Read one with document_get.',
        level: 'read',
        failure: 'The documents could not be listed. The error has been logged.',
        input: z.strictObject({
          ...paging(50),
          includeArchived: yesNo('Archived ones too', false).optional(),
          search: text('Words in title and text; "a phrase", OR, -not', { maxLength: 500 }).optional(),
          status: oneOf('Only with this status', STATUSES).optional(),
          tag: text('Only with this tag').optional(),
          series: text('Only of this series').optional(),
        }),
        handle: ({ actor, projectId }, input) => listDocuments.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_get_review',
        title: 'Read review',
        description:
          'Reads what people said about the current version: verdict, comment threads with quotes and proposed replacements, answers to decisions, section approvals, reviews by agents. Act on it, then document_reply_to_comment, document_mark_comment_addressed, document_revise. Comment ids change with each version. Long reviews come in parts: go on with after = nextAfter. For the text use document_get.',
        level: 'read',
        failure: 'The review could not be read. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          includeResolved: yesNo('Resolved threads too', true).optional(),
          limit: whole('Threads of one answer', { minimum: 1, maximum: 200, default: 100 }).optional(),
          after: text('nextAfter of the last answer').optional(),
        }),
        handle: ({ actor, projectId }, input) => getReview.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_reply_to_comment',
        title: 'Reply to comment',
        description:
          'Adds a reply, signed as the agent, to a comment thread of the current version: answer a question, or say what you changed. The status of the thread stays; when you have acted on it, also call document_mark_comment_addressed. Takes ids from document_get_review; an old id is refused with the one of today. Returns the id of the reply.',
        level: 'contribute',
        failure: 'The reply could not be stored. The error has been logged.',
        input: z.strictObject({
          commentId: id('First comment of the thread'),
          body: text('Markdown, up to 65,536 bytes'),
        }),
        handle: ({ actor, projectId }, input) => reply.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_mark_comment_addressed',
        title: 'Mark comments addressed',
        description:
          'Tells people that you acted on comment threads; only they resolve them. Mark after you have done it, before or after document_revise, with current ids from document_get_review. To answer in words use document_reply_to_comment. A bad id never fails the call. Returns addressed ids, and skipped ones with a reason.',
        level: 'contribute',
        idempotent: true,
        failure: 'The comments could not be marked. The error has been logged.',
        input: z.strictObject({
          commentIds: list(text('First comment of a thread'), {
            description: 'The threads',
            minItems: 1,
            maxItems: 200,
          }),
        }),
        handle: ({ actor, projectId }, input) => markAddressed.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_highlight',
        title: 'Highlight passages',
        description:
          'Tints a handful of passages of the current version for its readers; replaces the whole set, [] clears it. Quote text as it reads rendered, without Markdown signs, inside one block; the first occurrence is tinted. A new version has none: set them again after document_revise. Returns highlighted, and skipped quotes with a reason.',
        level: 'contribute',
        flags: ['review.highlights.enabled'],
        idempotent: true,
        failure: 'The highlights could not be set. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          quotes: list(text('Words of the rendered text'), { description: 'The whole set', maxItems: 100 }),
        }),
        handle: ({ actor, projectId }, input) => highlight.execute(actor, { projectId, ...input }),
      }),
    ];
  }
}
