import { Injectable } from '@nestjs/common';
import { anchorOf } from '#libs/anchoring/make-anchor.js';
import { relocate } from '#libs/anchoring/relocate.js';
import { Ids } from '#libs/kernel/ids.js';
import type { RenderedDocument, RenderWarning } from '../domain/rendered-document.js';
import { droppedSections } from '../domain/sections.js';
import { DocumentRepository, type RevisionSummary, type VersionFacts } from './ports/document-repository.js';
import { ReviewRepository } from './ports/review-repository.js';
import { type CarriedThread, type OpenThread, ThreadRepository } from './ports/thread-repository.js';

/** What a revision will do to the talk about its document. */
export interface CarryingPlan {
  readonly threads: readonly CarriedThread[];
  readonly dropped: readonly string[];
  readonly summary: RevisionSummary;
  readonly warnings: readonly RenderWarning[];
}

/** Takes open threads, section approvals and answers from one version to the next (`documents.md` 5.3). */
@Injectable()
export class Carrying {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly reviews: ReviewRepository,
    private readonly ids: Ids,
  ) {}

  /** Needs the document locked. */
  async plan(documentId: string, before: VersionFacts, after: RenderedDocument): Promise<CarryingPlan> {
    const open = await this.threads.open(before.id);
    const threads = await this.relocated(before.id, open, after.plainText);
    const approvals = await this.reviews.approvals(documentId);
    const dropped = new Set(droppedSections(approvals, after.sections));
    const approved = new Set(approvals.map((approval) => approval.headingId));
    const orphaned = threads.filter((thread) => thread.orphaned).length;
    return {
      threads,
      dropped: [...dropped],
      summary: {
        carried: threads.length - orphaned,
        orphaned,
        sectionsCarried: approved.size - dropped.size,
        sectionsDropped: dropped.size,
      },
      warnings: [...after.warnings, ...(await this.removedAnswers(documentId, before, after))],
    };
  }

  /** Writes the plan, once the new version is there. */
  async carry(documentId: string, toVersionId: string, plan: CarryingPlan): Promise<void> {
    await this.threads.carry(toVersionId, plan.threads);
    await this.reviews.dropApprovals(documentId, plan.dropped);
  }

  /** Where threads of one version stand in another text. */
  async relocated(
    fromVersionId: string,
    threads: readonly OpenThread[],
    plainText: string,
  ): Promise<CarriedThread[]> {
    const anchored = threads.flatMap((thread) =>
      thread.anchor ? [{ ...thread, anchor: thread.anchor }] : [],
    );
    const before = anchored.length === 0 ? '' : await this.documents.plainText(fromVersionId);
    const placements = relocate(
      before,
      plainText,
      anchored.map((thread) => thread.anchor),
    );
    const places = new Map(anchored.map((thread, index) => [thread.id, placements[index] ?? null]));
    return threads.map(({ id, anchor, replacement }) => {
      const newId = this.ids.next();
      if (anchor === null) return { id, newId, anchor, orphaned: false, moved: false };
      const place = places.get(id) ?? null;
      // A suggested wording replaces exactly its quote, so words that changed leave nothing to replace.
      const lost = place === null || (place.kind === 'fuzzy' && replacement !== null);
      return lost
        ? { id, newId, anchor, orphaned: true, moved: false }
        : {
            id,
            newId,
            anchor: anchorOf(plainText, place.start, place.end),
            orphaned: false,
            moved: place.kind !== 'exact',
          };
    });
  }

  private async removedAnswers(
    documentId: string,
    before: VersionFacts,
    after: RenderedDocument,
  ): Promise<RenderWarning[]> {
    const removed = before.decisions.filter(({ id }) => !after.decisions.some((block) => block.id === id));
    if (removed.length === 0) return [];
    const answers = await this.reviews.answers(documentId);
    return removed
      .filter(({ id }) =>
        answers.some(
          (answer) => answer.decisionId === id && (answer.selections.length > 0 || answer.note !== null),
        ),
      )
      .map(({ id }) => ({
        code: 'decision_removed' as const,
        decisionId: id,
        message: `The decision "${id}" has an answer, and this version no longer asks it. The answer is not reported until the id is back.`,
      }));
  }
}
