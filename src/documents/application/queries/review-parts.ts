import { jsonLength } from '#libs/kernel/answer-size.js';
import type { AgentReviewAnswer } from './agent-review-reader.js';

/** Of the first answer, what beside threads may take, so that threads are seen at once. */
const SHARE_OF_PARTS = 8_000;

/** How a cursor into the parts begins; any other cursor is the id of a thread. */
const CURSOR = 'rest:';

/** What stands beside threads in a review, cut into pieces that each come whole. */
export type ReviewPiece<Decision, Section> =
  | { readonly decision: Decision }
  | { readonly section: Section }
  /** A review by an agent with one of its findings, or with none. */
  | { readonly review: AgentReviewAnswer; readonly finding: AgentReviewAnswer['findings'][number] | null };

export function reviewPieces<Decision, Section>(
  decisions: readonly Decision[],
  sections: readonly Section[],
  agentReviews: readonly AgentReviewAnswer[],
): ReviewPiece<Decision, Section>[] {
  return [
    ...decisions.map((decision) => ({ decision })),
    ...agentReviews.flatMap((review): ReviewPiece<Decision, Section>[] =>
      review.findings.length === 0
        ? [{ review, finding: null }]
        : review.findings.map((finding) => ({ review, finding })),
    ),
    ...sections.map((section) => ({ section })),
  ];
}

/** The pieces of one answer, put together again. */
export function assembled<Decision, Section>(pieces: readonly ReviewPiece<Decision, Section>[]) {
  const reviews = new Map<string, { review: AgentReviewAnswer; findings: FindingOfTool[] }>();
  const decisions: Decision[] = [];
  const sections: Section[] = [];
  for (const piece of pieces) {
    if ('decision' in piece) decisions.push(piece.decision);
    else if ('section' in piece) sections.push(piece.section);
    else {
      const { review, finding } = piece;
      const entry = reviews.get(review.reviewId) ?? { review, findings: [] };
      reviews.set(review.reviewId, entry);
      if (finding) entry.findings.push(findingOfTool(finding));
    }
  }
  return {
    decisions,
    sections,
    agentReviews: [...reviews.values()].map(({ review, findings }) => ({ ...review, findings })),
  };
}

type FindingOfTool = ReturnType<typeof findingOfTool>;

function findingOfTool({ bodyHtml: _, ...finding }: AgentReviewAnswer['findings'][number]) {
  return finding;
}

/** Up to which piece an answer goes that has room for `characters` of JSON; at least one when `always`. */
export function piecesThatFit(
  pieces: readonly ReviewPiece<unknown, unknown>[],
  from: number,
  characters: number,
  always: boolean,
): number {
  let length = 0;
  let reviewId: string | null = null;
  for (let at = from; at < pieces.length; at += 1) {
    const piece = pieces[at]!;
    if ('review' in piece) {
      const { findings: _, ...facts } = piece.review;
      if (piece.review.reviewId !== reviewId) length += jsonLength(facts) + 20;
      reviewId = piece.review.reviewId;
      if (piece.finding) length += jsonLength(findingOfTool(piece.finding)) + 1;
    } else length += jsonLength('decision' in piece ? piece.decision : piece.section) + 1;
    if (length > characters && !(always && at === from)) return at;
  }
  return pieces.length;
}

/** How far the first answer goes when threads follow on later ones: always the same for the same review. */
export function firstShare(pieces: readonly ReviewPiece<unknown, unknown>[], room: number): number {
  return piecesThatFit(pieces, 0, Math.min(SHARE_OF_PARTS, room / 2), true);
}

export function pieceCursor(next: number): string {
  return `${CURSOR}${next}`;
}

/** The number of a piece, or null for a cursor of another kind. */
export function pieceAt(cursor: string): number | null {
  const digits = cursor.startsWith(CURSOR) ? cursor.slice(CURSOR.length) : '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}
