import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ArchiveDocument } from '#src/documents/application/commands/archive-document.js';
import { RenameDocument } from '#src/documents/application/commands/rename-document.js';
import { RenameSeries } from '#src/documents/application/commands/rename-series.js';
import { SetDocumentReferences } from '#src/documents/application/commands/set-document-references.js';
import { SetDocumentSeries } from '#src/documents/application/commands/set-document-series.js';
import { SetDocumentTags } from '#src/documents/application/commands/set-document-tags.js';
import { UnarchiveDocument } from '#src/documents/application/commands/unarchive-document.js';
import { ListSeries } from '#src/documents/application/queries/list-series.js';
import { ListTags } from '#src/documents/application/queries/list-tags.js';
import { id, list, text, whole } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const documentId = () => id('From document_list');

/** What all of these tools share. */
const shared = { flags: [], checksArguments: true } as const;

/** Tools for what stands around the text of documents: title, archive, tags, references, series. */
@Injectable()
export class DocumentLabelTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    rename: RenameDocument,
    archive: ArchiveDocument,
    unarchive: UnarchiveDocument,
    setTags: SetDocumentTags,
    setReferences: SetDocumentReferences,
    setSeries: SetDocumentSeries,
    listTags: ListTags,
    listSeries: ListSeries,
    renameSeries: RenameSeries,
  ) {
    super();
    this.tools = [
      tool({
        ...shared,
        name: 'document_rename',
        title: 'Rename document',
        description:
          'Gives a document another title, without a new version. To change title and text together use document_revise. The same title again changes nothing. Returns documentId and title.',
        level: 'contribute',
        idempotent: true,
        failure: 'The document could not be renamed. The error has been logged.',
        input: z.strictObject({ documentId: documentId(), title: text('One line', { maxLength: 255 }) }),
        handle: ({ actor, projectId }, input) => rename.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_archive',
        title: 'Archive document',
        description:
          'Takes a document that is no longer needed out of lists and out of review; it stays readable, and document_unarchive brings it back. One that is archived already keeps its first reason. Returns documentId and archived.',
        level: 'contribute',
        idempotent: true,
        failure: 'The document could not be archived. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          reason: text('Why, for people', { maxLength: 500 }),
        }),
        handle: ({ actor, projectId }, input) => archive.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_unarchive',
        title: 'Unarchive document',
        description:
          'Brings an archived document back with the status it had and clears the reason that document_archive stored. One that is not archived stays as it is. Returns documentId and archived.',
        level: 'contribute',
        idempotent: true,
        failure: 'The document could not be unarchived. The error has been logged.',
        input: z.strictObject({ documentId: documentId() }),
        handle: ({ actor, projectId }, input) => unarchive.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_set_tags',
        title: 'Set tags',
        description:
          'Replaces all tags of a document (a new one gets them in document_create); [] clears them. Read tag_list first and use its names where they fit: new ones are created, in lower case. Makes no version. Returns documentId and tags.',
        level: 'contribute',
        idempotent: true,
        failure: 'The tags could not be set. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          tags: list(text('A tag', { maxLength: 50 }), { description: 'The whole set', maxItems: 20 }),
        }),
        handle: ({ actor, projectId }, input) => setTags.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_set_references',
        title: 'Set references',
        description:
          'Replaces the links of a document to others that it follows, answers or replaces, in the given order; [] clears them. Makes no version; with a new text give them to document_revise. Returns documentId and references.',
        level: 'contribute',
        idempotent: true,
        failure: 'The references could not be set. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          references: list(id('A document'), { description: 'The whole set', maxItems: 50 }),
        }),
        handle: ({ actor, projectId }, input) => setReferences.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_set_series',
        title: 'Set series',
        description:
          'Puts a document at a position of a series, which is created on first use (a new document: document_create); with both left out, takes it out of its series. series_list names the series and their highest position. A position that is taken is refused with the next free one. Returns documentId, series and seriesOrdinal.',
        level: 'contribute',
        idempotent: true,
        failure: 'The series could not be set. The error has been logged.',
        input: z.strictObject({
          documentId: documentId(),
          series: text('Its name; needs seriesOrdinal', { maxLength: 100 }).optional(),
          seriesOrdinal: whole('Place in the series, from 1', { minimum: 1 }).optional(),
        }),
        handle: ({ actor, projectId }, input) => setSeries.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'tag_list',
        title: 'List tags',
        description:
          'Lists the tags of the project by name, each with the number of its documents, archived ones too. Read it before document_create or document_set_tags, so that one thing has one tag.',
        level: 'read',
        failure: 'The tags could not be listed. The error has been logged.',
        input: z.strictObject({}),
        handle: ({ actor, projectId }) => listTags.execute(actor, { projectId, brief: true }),
      }),
      tool({
        ...shared,
        name: 'series_list',
        title: 'List series',
        description:
          'Lists the series of the project by name, each with the number of its documents and the highest position taken, null when empty. The next document goes one above it: see document_create and document_set_series. For another name use series_rename.',
        level: 'read',
        failure: 'The series could not be listed. The error has been logged.',
        input: z.strictObject({}),
        handle: async ({ actor, projectId }) => {
          const answer = await listSeries.execute(actor, { projectId, brief: true });
          return { ...answer, series: answer.series.map(({ id: _, ...facts }) => facts) };
        },
      }),
      tool({
        ...shared,
        name: 'series_rename',
        title: 'Rename series',
        description:
          'Gives a series another name; its documents and their positions stay. Two series are never merged: a name of another series is refused. Names come from series_list; to move one document use document_set_series. Returns series and documentCount.',
        level: 'contribute',
        idempotent: true,
        failure: 'The series could not be renamed. The error has been logged.',
        input: z.strictObject({
          series: text('Its name now, in any case', { maxLength: 100 }),
          newName: text('The new one', { maxLength: 100 }),
        }),
        handle: async ({ actor, projectId }, input) => {
          const { id: _, ...renamed } = await renameSeries.execute(actor, { projectId, ...input });
          return renamed;
        },
      }),
    ];
  }
}
