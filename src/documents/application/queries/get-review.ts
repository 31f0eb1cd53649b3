import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ANSWER_CHARACTERS, jsonLength } from '#libs/kernel/answer-size.js';
import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { REVIEW_THREADS_DEFAULT, REVIEW_THREADS_MAX } from '../../domain/limits.js';
import { wholeWords } from '../../domain/quote.js';
import type { DecisionBlock, RenderedSection } from '../../domain/rendered-document.js';
import { type Given, readId } from '../../domain/texts.js';
import { standing } from '../../domain/verdict.js';
import { ReviewRepository } from '../ports/review-repository.js';
import { AgentReviewReader } from './agent-review-reader.js';
import { DocumentReader } from './document-reader.js';
import {
  type AnsweredDecision,
  type ApprovedSection,
  answeredDecisions,
  sectionApprovals,
} from './review-answers.js';
import {
  assembled,
  firstShare,
  pieceAt,
  pieceCursor,
  piecesThatFit,
  type ReviewPiece,
  reviewPieces,
} from './review-parts.js';
import { type ThreadOutline, ThreadReader, type ThreadRows } from './thread-reader.js';

/** Names and signs of an answer around its parts, in characters. */
const FRAME = 160;

/** JSON around the texts of a thread and of a reply, in characters. */
const THREAD_FRAME = 260;
const REPLY_FRAME = 130;

/** What a version asks of its readers. */
interface ReviewedParts {
  readonly decisions: DecisionBlock[];
  readonly sections: RenderedSection[];
}

type CommentAnswer = ReturnType<typeof commentAnswer>;
type DecisionOfTool = ReturnType<typeof decisionAnswer>;
type SectionOfTool = ReturnType<typeof sectionAnswer>;

export interface GetReviewInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  /** Default true. */
  readonly includeResolved?: Given<boolean>;
  /** Threads of one answer: clamped to 1 to 200, default 100. */
  readonly limit?: Given<number>;
  /** `nextAfter` of the answer before. */
  readonly after?: Given<string>;
}

/**
 * The answer of `document_get_review`: what people said about the current version. Holds no name and no address.
 * @throws InvalidInput; DomainError `not-found`.
 */
@Injectable()
export class GetReview {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly threads: ThreadReader,
    private readonly reviews: ReviewRepository,
    private readonly agentReviews: AgentReviewReader,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: GetReviewInput) {
    await this.access.require(actor, input.projectId, 'read');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const after =
      input.after == null || pieceAt(input.after) !== null
        ? (input.after ?? null)
        : readId(problems, 'after', input.after);
    if (input.limit != null && !Number.isInteger(input.limit)) problems.add('limit', 'Give a whole number.');
    problems.throwIfAny();
    const limit = Math.min(Math.max(input.limit ?? REVIEW_THREADS_DEFAULT, 1), REVIEW_THREADS_MAX);

    // One state for all statements: a verdict between two of them would show half.
    return this.database.snapshot(() => this.read(input, documentId, limit, after));
  }

  private async read(input: GetReviewInput, documentId: string, limit: number, after: string | null) {
    const head = await this.reader.head(input.projectId, documentId);
    const version = await this.reader.version<ReviewedParts>(documentId, head.currentVersion, [
      'decisions',
      'sections',
    ]);
    const verdict = standing(await this.reviews.newestVerdict(version.id));
    const outlines = await this.threads.outlines(version.id);
    const facts = {
      documentId,
      status: head.status,
      verdict: verdict?.verdict ?? null,
      note: verdict?.note ?? null,
      submittedAt: verdict?.submittedAt.toISOString() ?? null,
      version: head.currentVersion,
      counts: countsOf(outlines),
    };
    const room = ANSWER_CHARACTERS - jsonLength(facts) - FRAME;
    const wanted = outlines.filter((o) => input.includeResolved !== false || o.status !== 'resolved');
    const { comments, parts, nextAfter } = await this.answer(documentId, version, wanted, room, limit, after);
    return { ...facts, hasMore: nextAfter !== null, nextAfter, comments, ...parts };
  }

  /**
   * The first answer holds the parts beside threads, or the share of them that leaves room, and threads; later ones go
   * on with the threads, and when those are through, with the rest of the parts.
   */
  private async answer(
    documentId: string,
    version: ReviewedParts,
    wanted: readonly ThreadOutline[],
    room: number,
    limit: number,
    after: string | null,
  ) {
    const piece = after === null ? null : pieceAt(after);
    if (piece !== null) {
      const pieces = await this.pieces(documentId, version);
      return partsAnswer(pieces, piece, piecesThatFit(pieces, piece, room, true), [], null);
    }
    if (after !== null) {
      const page = await this.page(wanted, limit, after, room);
      if (page.nextAfter !== null) return { ...page, parts: assembled<DecisionOfTool, SectionOfTool>([]) };
      const pieces = await this.pieces(documentId, version);
      const from = firstShare(pieces, room);
      const left = room - jsonLength(page.comments);
      return partsAnswer(pieces, from, piecesThatFit(pieces, from, left, false), page.comments, null);
    }
    const pieces = await this.pieces(documentId, version);
    const share = firstShare(pieces, room);
    const page = await this.page(wanted, limit, null, room - jsonLength(assembled(pieces.slice(0, share))));
    if (page.nextAfter !== null)
      return partsAnswer(pieces.slice(0, share), 0, share, page.comments, page.nextAfter);
    const all = piecesThatFit(pieces, 0, room - jsonLength(page.comments), false);
    return partsAnswer(pieces, 0, Math.max(all, share), page.comments, null);
  }

  private async pieces(documentId: string, version: ReviewedParts) {
    return reviewPieces(
      answeredDecisions(version.decisions, await this.reviews.answers(documentId)).map(decisionAnswer),
      sectionApprovals(version.sections, await this.reviews.approvals(documentId)).map(sectionAnswer),
      await this.agentReviews.newest(documentId),
    );
  }

  /** In text order when all fit one answer, else what is pending comes first. At least one thread comes whole. */
  private async page(outlines: readonly ThreadOutline[], limit: number, after: string | null, room: number) {
    const estimated = outlines.reduce((sum, o) => sum + sizeOf(o), 0);
    if (after === null && outlines.length <= limit && estimated <= room) {
      const all = (await this.load(outlines)).map(commentAnswer);
      if (all.length < 2 || jsonLength(all) <= room) return { comments: all, nextAfter: null };
    }
    const ordered = [
      ...outlines.filter((o) => o.status === 'pending'),
      ...outlines.filter((o) => o.status !== 'pending'),
    ];
    const rest = ordered.slice(after === null ? 0 : startAfter(ordered, after));
    const candidates: ThreadOutline[] = [];
    let expected = 0;
    for (const outline of rest.slice(0, limit)) {
      expected += sizeOf(outline);
      if (candidates.length > 0 && expected > room) break;
      candidates.push(outline);
    }
    const comments: CommentAnswer[] = [];
    let length = 0;
    for (const comment of (await this.load(candidates)).map(commentAnswer)) {
      length += jsonLength(comment) + 1;
      if (comments.length > 0 && length > room) break;
      comments.push(comment);
    }
    return { comments, nextAfter: comments.length < rest.length ? (comments.at(-1)?.id ?? null) : null };
  }

  private async load(outlines: readonly ThreadOutline[]): Promise<ThreadRows[]> {
    if (outlines.length === 0) return [];
    const threads = new Map(
      (await this.threads.byIds(outlines.map((o) => o.id))).map((thread) => [thread.root.id, thread]),
    );
    return outlines.flatMap((o) => threads.get(o.id) ?? []);
  }
}

/** Pieces `from` to `to` of the review; what is left is named by the cursor, unless threads come first. */
function partsAnswer(
  pieces: readonly ReviewPiece<DecisionOfTool, SectionOfTool>[],
  from: number,
  to: number,
  comments: readonly CommentAnswer[],
  nextThread: string | null,
) {
  const nextAfter = nextThread ?? (to < pieces.length ? pieceCursor(to) : null);
  return { comments, parts: assembled(pieces.slice(from, to)), nextAfter };
}

/** @throws InvalidInput when the version does not hold that thread. */
function startAfter(ordered: readonly ThreadOutline[], after: string): number {
  const at = ordered.findIndex((o) => o.id === after);
  if (at >= 0) return at + 1;
  throw new InvalidInput([
    {
      argument: 'after',
      sentence: 'The current version has no such thread. Start again without after.',
    },
  ]);
}

function sizeOf(outline: ThreadOutline): number {
  return THREAD_FRAME + outline.characters + outline.replies * REPLY_FRAME;
}

function countsOf(outlines: readonly ThreadOutline[]) {
  const count = (test: (o: ThreadOutline) => boolean) => outlines.filter(test).length;
  return {
    pending: count((o) => o.status === 'pending'),
    addressed: count((o) => o.status === 'addressed'),
    resolved: count((o) => o.status === 'resolved'),
    orphaned: count((o) => o.orphaned),
  };
}

function commentAnswer({ root, replies }: ThreadRows) {
  const { quote, prefix, suffix, start } = root;
  const anchor =
    quote === null ? null : { quote, prefix: prefix ?? '', suffix: suffix ?? '', start: start ?? 0 };
  return {
    id: root.id,
    quote: anchor && (root.replacement === null ? wholeWords(anchor) : anchor.quote),
    body: root.body,
    replacement: root.replacement,
    author: signature(root.authorKind),
    status: root.status,
    orphaned: root.orphaned,
    createdAt: root.createdAt.toISOString(),
    thread: replies.map((reply) => ({
      id: reply.id,
      body: reply.body,
      author: signature(reply.authorKind),
      createdAt: reply.createdAt.toISOString(),
    })),
  };
}

function signature(kind: 'agent' | 'person'): 'agent' | 'human' {
  return kind === 'agent' ? 'agent' : 'human';
}

/** The snake case names are fixed by the contract of the tool. */
function decisionAnswer({ block, answer, selections }: AnsweredDecision) {
  const recommended = block.options.findIndex((option) => option.recommended !== null);
  const picked = block.type === 'single' ? (selections[0] ?? null) : null;
  return {
    id: block.id,
    type: block.type,
    question: block.question,
    options: block.options.map((option) => option.label),
    recommended:
      recommended < 0 ? null : { index: recommended, confidence: block.options[recommended]!.recommended },
    selected: picked?.label ?? null,
    selected_index: picked?.index ?? null,
    answered_at: picked?.answeredAt ?? null,
    answered_at_version: picked?.answeredAtVersion ?? null,
    selections: selections.map((selection) => ({
      option: selection.label,
      index: selection.index,
      answered_at: selection.answeredAt,
      answered_at_version: selection.answeredAtVersion,
    })),
    note: answer?.note ?? null,
    updated_at: answer?.updatedAt.toISOString() ?? null,
  };
}

function sectionAnswer({ section, people }: ApprovedSection) {
  return { headingId: section.headingId, title: section.title, approvals: people.length };
}
