import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { toAscii } from '#libs/kernel/ascii.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { DocumentReader } from './document-reader.js';

export interface GetDownloadInput {
  readonly projectId: string;
  readonly documentId: string;
  readonly version: number;
}

/** The Markdown of one version as a file. @throws DomainError `not-found`. */
@Injectable()
export class GetDownload {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
  ) {}

  async execute(
    actor: Actor,
    input: GetDownloadInput,
  ): Promise<{ readonly fileName: string; readonly markdown: string }> {
    await this.access.require(actor, input.projectId, 'read');
    const head = await this.reader.head(input.projectId, input.documentId);
    const version = await this.reader.version<{ markdown: string }>(head.id, input.version, ['markdown']);
    const name =
      toAscii(head.title)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 60) || 'document';
    return { fileName: `${name}-v${version.number}.md`, markdown: version.markdown };
  }
}
