import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { OutlineEntry } from '../../domain/rendered-document.js';
import { People } from '../people.js';
import { DocumentReader } from './document-reader.js';

/** A document with the whole Markdown of its newest version, for the pages. @throws DomainError `not-found`. */
@Injectable()
export class GetDocumentDetails {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly directory: PersonDirectory,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string; readonly documentId: string }) {
    await this.access.require(actor, input.projectId, 'read');
    const head = await this.reader.head(input.projectId, input.documentId);
    const version = await this.reader.version<{ markdown: string; outline: OutlineEntry[] }>(
      head.id,
      head.currentVersion,
      ['markdown', 'outline'],
    );
    const people = await People.of(this.directory, [head.createdByUserId]);
    const kind = head.origin === 'person' ? ('person' as const) : ('agent' as const);
    return {
      id: head.id,
      projectId: head.projectId,
      title: head.title,
      status: head.status,
      archived: head.archived,
      archiveReason: head.archiveReason,
      version: head.currentVersion,
      versionDescription: version.description,
      language: head.language,
      markdown: version.markdown,
      tags: head.tags,
      series: head.series,
      seriesOrdinal: head.seriesOrdinal,
      ...(await this.reader.links(head.id)),
      createdBy: { kind, name: people.author(kind, head.createdByUserId).name },
      createdAt: head.createdAt.toISOString(),
      contentUpdatedAt: head.contentUpdatedAt.toISOString(),
      outline: version.outline.map(({ id, level, text }) => ({ id, level, text })),
    };
  }
}
