import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readId } from '../../domain/texts.js';
import { requireWithdrawable, standing } from '../../domain/verdict.js';
import { requirePerson } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ReviewRepository } from '../ports/review-repository.js';

export interface WithdrawVerdictInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly verdictId: string;
}

/**
 * The person who gave the standing verdict takes it back; no earlier one returns by it.
 * @throws DomainError `not-found`, `archived`, `forbidden`, `nothing_to_withdraw`.
 */
@Injectable()
export class WithdrawVerdict {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly reviews: ReviewRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: WithdrawVerdictInput,
  ): Promise<{ readonly id: string; readonly status: string }> {
    await this.access.require(actor, input.projectId, 'contribute');
    const personId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireActive('person');
      const verdict = await this.reviews.verdict(input.verdictId, documentId);
      if (!verdict) throw notFound('Verdict');
      const version = (await this.documents.version(documentId, document.version))!;
      const stands = standing(await this.reviews.newestVerdict(version.id));
      requireWithdrawable(verdict, stands?.id ?? null, personId);
      const at = this.clock.now();
      await this.reviews.withdraw(verdict.id, personId, at);
      document.reopenReview();
      await this.documents.save(document);
      await this.news.tell(actor, document, {
        events: [
          {
            type: 'VerdictWithdrawn',
            payload: { verdictId: verdict.id, withdrawnByUserId: personId, withdrawnAt: at.toISOString() },
          },
        ],
        audit: [
          {
            operation: 'verdict.withdrawn',
            subject: { type: 'verdict', id: verdict.id },
            context: { version: document.version },
          },
        ],
        live: ['status', 'list'],
      });
      return { id: documentId, status: document.status };
    });
  }
}
