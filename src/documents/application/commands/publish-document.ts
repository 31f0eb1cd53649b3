import { Injectable } from '@nestjs/common';
import { type Actor, authorKindOf } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readId } from '../../domain/texts.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { LabelRepository } from '../ports/label-repository.js';

/** The answer of `document_publish`. */
export interface PublishedDocument {
  readonly documentId: string;
  readonly status: string;
  readonly published: boolean;
}

/** Sends a draft to review; anything else is left as it is. @throws DomainError `not-found`, `archived`. */
@Injectable()
export class PublishDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly labels: LabelRepository,
    private readonly news: DocumentNews,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId?: Given<string> },
  ): Promise<PublishedDocument> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      const published = document.publish(authorKindOf(actor));
      if (published) {
        await this.documents.save(document);
        await this.news.tell(actor, document, {
          events: [
            {
              type: 'DocumentReviewRequested',
              payload: { tags: await this.labels.tagsOf(documentId) },
            },
          ],
          audit: [{ operation: 'document.published' }],
          live: ['status', 'list'],
        });
      }
      return { documentId, status: document.status, published };
    });
  }
}
