import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readId } from '../../domain/texts.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';

/** Brings a document back into the list with the status it had. @throws DomainError `not-found`. */
@Injectable()
export class UnarchiveDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly news: DocumentNews,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId?: Given<string> },
  ): Promise<{ readonly documentId: string; readonly archived: boolean }> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      if (document.unarchive()) {
        await this.documents.save(document);
        await this.news.tell(actor, document, {
          events: [{ type: 'DocumentUnarchived' }],
          audit: [{ operation: 'document.unarchived' }],
          live: ['status', 'list'],
        });
      }
      return { documentId, archived: false };
    });
  }
}
