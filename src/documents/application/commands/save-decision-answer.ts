import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { select } from '../../domain/decisions.js';
import { type Given, readDecisionNote, readId, readVersion } from '../../domain/texts.js';
import { requirePerson } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ReviewRepository } from '../ports/review-repository.js';

/** The audit log names an answer at most this often. */
const AUDIT_MILLISECONDS = 60_000;

export interface SaveDecisionAnswerInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly decisionId: string;
  /** The version that the page showed. */
  readonly version?: Given<number>;
  /** The picks, in parallel; both absent keeps them. */
  readonly indexes?: Given<readonly number[]>;
  readonly labels?: Given<readonly string[]>;
  /** Absent keeps the note, the blank text clears it. */
  readonly note?: Given<string>;
}

/**
 * A click or a note on a decision block; the last write wins.
 * @throws InvalidInput; DomainError `not-found`, `archived`, `unknown_decision`, `unknown_option`, `one_option`.
 */
@Injectable()
export class SaveDecisionAnswer {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly reviews: ReviewRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: SaveDecisionAnswerInput): Promise<void> {
    await this.access.require(actor, input.projectId, 'contribute');
    const personId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const shown = readVersion(problems, 'version', input.version);
    const note = input.note == null ? undefined : readDecisionNote(problems, 'note', input.note);
    const { indexes, labels } = input;
    if ((indexes?.length ?? 0) !== (labels?.length ?? 0))
      problems.add('labels', 'Name one label for each index.');
    problems.throwIfAny();

    await this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireActive('person');
      const version = (await this.documents.version(documentId, document.version))!;
      const block = version.decisions.find(({ id }) => id === input.decisionId);
      if (!block)
        throw new DomainError(
          'not-found',
          'unknown_decision',
          'The document no longer asks this. Reload the page to see what it asks now.',
        );
      const before = (await this.reviews.answers(documentId)).find(
        ({ decisionId }) => decisionId === block.id,
      );
      const at = this.clock.now();
      const kept = before?.selections ?? [];
      const selections =
        labels == null
          ? kept
          : select(block, { indexes: indexes ?? [], labels }, { shown, current: document.version, at }, kept);
      const nextNote = note === undefined ? (before?.note ?? null) : note;
      if (nextNote === (before?.note ?? null) && JSON.stringify(selections) === JSON.stringify(kept)) return;
      const audited = !before || at.getTime() - before.auditedAt.getTime() >= AUDIT_MILLISECONDS;
      await this.reviews.saveAnswer({
        documentId,
        decisionId: block.id,
        selections,
        note: nextNote,
        updatedAt: at,
        updatedByUserId: personId,
        auditedAt: audited ? at : before.auditedAt,
      });
      await this.news.tell(actor, document, {
        events: [{ type: 'DecisionAnswered', payload: { decisionId: block.id } }],
        audit: audited ? [{ operation: 'decision.answered', context: { decisionId: block.id } }] : [],
        live: ['decision'],
      });
    });
  }
}
