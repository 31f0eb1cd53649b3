import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readId, readVersion } from '../../domain/texts.js';
import { requirePerson } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ReviewRepository } from '../ports/review-repository.js';

export interface SetSectionApprovalInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly headingId: string;
  readonly version?: Given<number>;
  readonly approved: boolean;
}

/** A section with what its readers think of it. */
export interface SectionAnswer {
  readonly headingId: string;
  readonly title: string;
  readonly level: number;
  readonly approvals: number;
  readonly approvedByYou: boolean;
}

/**
 * A person approves one section, or takes that back. It stands beside the verdict.
 * @throws InvalidInput; DomainError `not-found`, `archived`, `stale_version`, `unknown_section`.
 */
@Injectable()
export class SetSectionApproval {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly reviews: ReviewRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: SetSectionApprovalInput): Promise<SectionAnswer> {
    await this.access.require(actor, input.projectId, 'contribute');
    const userId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const shown = readVersion(problems, 'version', input.version);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireCurrent(shown);
      document.requireActive('person');
      const version = (await this.documents.version(documentId, shown))!;
      const section = version.sections.find(({ headingId }) => headingId === input.headingId);
      if (!section)
        throw new DomainError(
          'not-found',
          'unknown_section',
          'The document has no such section. Reload the page.',
        );
      const { headingId, contentHash, title, level } = section;
      const changed = input.approved
        ? await this.reviews.approve(documentId, { headingId, contentHash, userId }, this.clock.now())
        : await this.reviews.unapprove(documentId, headingId, userId);
      if (changed) {
        await this.news.tell(actor, document, {
          events: [{ type: 'SectionApprovalChanged', payload: { headingId, approved: input.approved } }],
          audit: [
            {
              operation: input.approved ? 'section.approved' : 'section.approval_withdrawn',
              context: { headingId },
            },
          ],
          live: ['section'],
        });
      }
      const approvals = (await this.reviews.approvals(documentId)).filter((a) => a.headingId === headingId);
      return { headingId, title, level, approvals: approvals.length, approvedByYou: input.approved };
    });
  }
}
