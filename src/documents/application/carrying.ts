import { Injectable } from '@nestjs/common';
import type { Anchor } from '#libs/anchoring/anchor.js';
import { Ids } from '#libs/kernel/ids.js';
import type { RenderedDocument, RenderWarning } from '../domain/rendered-document.js';
import { droppedSections } from '../domain/sections.js';
import {
  DocumentRepository,
  type RevisionSummary,
  type ThreadCounts,
  type VersionFacts,
} from './ports/document-repository.js';
import { PassageRelocator, type RelocatedPassage } from './ports/passage-relocator.js';
import { ReviewRepository } from './ports/review-repository.js';
import { type CarriedThread, type OpenThread, ThreadRepository } from './ports/thread-repository.js';

/** What a revision will do to the talk about its document. */
export interface CarryingPlan {
  readonly threads: readonly CarriedThread[];
  readonly dropped: readonly string[];
  readonly summary: RevisionSummary;
  readonly warnings: readonly RenderWarning[];
}

/** Where the threads of a version would stand in another text, worked out before anything is locked. */
export interface ForeseenPlaces {
  readonly versionId: string;
  readonly places: ReadonlyMap<string, { readonly from: Anchor; readonly to: RelocatedPassage | null }>;
}

/** Takes open threads, section approvals and answers from one version to the next (`documents.md` 5.3). */
@Injectable()
export class Carrying {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly reviews: ReviewRepository,
    private readonly relocator: PassageRelocator,
    private readonly ids: Ids,
  ) {}

  /** Before the lock, so that a long text with many threads holds up nobody. Null for a document without a version. */
  async foresee(projectId: string, documentId: string, plainText: string): Promise<ForeseenPlaces | null> {
    const versionId = await this.documents.currentVersionId(projectId, documentId);
    if (versionId === null) return null;
    const all = [...(await this.threads.open(versionId)), ...(await this.threads.resolved(versionId))];
    const open = anchoredOf(all);
    const places = await this.places(versionId, open, plainText);
    return {
      versionId,
      places: new Map(
        open.map((thread, index) => [thread.id, { from: thread.anchor, to: places[index] ?? null }]),
      ),
    };
  }

  /** Needs the document locked. What came or changed since `foreseen` is worked out here. */
  async plan(
    documentId: string,
    before: VersionFacts,
    after: RenderedDocument,
    foreseen: ForeseenPlaces | null = null,
  ): Promise<CarryingPlan> {
    const open = await this.threads.open(before.id);
    const known = foreseen?.versionId === before.id ? foreseen.places : undefined;
    const resolved = await this.threads.resolved(before.id);
    const all = await this.relocated(before.id, [...open, ...resolved], after.plainText, known);
    const threads = all.slice(0, open.length);
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
        threads: countsOf(all),
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
    known: ForeseenPlaces['places'] = new Map(),
  ): Promise<CarriedThread[]> {
    const isKnown = ({ id, anchor }: AnchoredThread) => {
      const from = known.get(id)?.from;
      return from?.start === anchor.start && from.quote === anchor.quote;
    };
    const unknown = anchoredOf(threads).filter((thread) => !isKnown(thread));
    const found = await this.places(fromVersionId, unknown, plainText);
    const places = new Map<string, RelocatedPassage | null>([
      ...[...known].map(([id, { to }]) => [id, to] as const),
      ...unknown.map(({ id }, index) => [id, found[index] ?? null] as const),
    ]);
    return threads.map(({ id, anchor, replacement }) => {
      const newId = this.ids.next();
      if (anchor === null) return { id, newId, anchor, orphaned: false, moved: false };
      const place = places.get(id) ?? null;
      // A suggested wording replaces exactly its quote, so words that changed leave nothing to replace.
      const lost = place === null || (place.kind === 'fuzzy' && replacement !== null);
      return lost
        ? { id, newId, anchor, orphaned: true, moved: false }
        : { id, newId, anchor: place.anchor, orphaned: false, moved: place.kind !== 'exact' };
    });
  }

  private async places(
    fromVersionId: string,
    threads: readonly AnchoredThread[],
    plainText: string,
  ): Promise<(RelocatedPassage | null)[]> {
    if (threads.length === 0) return [];
    const before = await this.documents.plainText(fromVersionId);
    return this.relocator.relocate(
      before,
      plainText,
      threads.map(({ anchor }) => anchor),
    );
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

function countsOf(threads: readonly CarriedThread[]): ThreadCounts {
  const lost = threads.filter((thread) => thread.orphaned).length;
  const moved = threads.filter((thread) => thread.moved).length;
  return { stayed: threads.length - lost - moved, moved, lost };
}

interface AnchoredThread extends OpenThread {
  readonly anchor: Anchor;
}

function anchoredOf(threads: readonly OpenThread[]): AnchoredThread[] {
  return threads.flatMap((thread) => (thread.anchor ? [{ ...thread, anchor: thread.anchor }] : []));
}
