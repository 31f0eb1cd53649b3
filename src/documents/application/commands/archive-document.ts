import { Injectable } from '@nestjs/common';
import { type Actor, authorKindOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readArchiveReason, readId } from '../../domain/texts.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';

export interface ArchiveDocumentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly reason?: Given<string>;
}

/** Takes a document out of the list. One that is archived keeps its first reason. @throws DomainError `not-found`. */
@Injectable()
export class ArchiveDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: ArchiveDocumentInput,
  ): Promise<{ readonly documentId: string; readonly archived: boolean }> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const reason = readArchiveReason(problems, 'reason', input.reason, authorKindOf(actor));
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      if (document.archive(reason, this.clock.now())) {
        await this.documents.save(document);
        await this.news.tell(actor, document, {
          events: [{ type: 'DocumentArchived' }],
          audit: [{ operation: 'document.archived' }],
          live: ['status', 'list'],
        });
      }
      return { documentId, archived: true };
    });
  }
}
