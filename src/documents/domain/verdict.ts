import { conflict, DomainError, forbidden } from '#libs/kernel/errors.js';
import type { VerdictKind } from './document.js';

/** One entry of the log of verdicts. */
export interface Verdict {
  readonly id: string;
  readonly versionId: string;
  readonly verdict: VerdictKind;
  readonly note: string | null;
  readonly reviewerUserId: string | null;
  readonly submittedAt: Date;
  readonly withdrawnAt: Date | null;
  readonly withdrawnByUserId: string | null;
}

/** The newest entry of a version stands, unless it was withdrawn; then none does. */
export function standing(newest: Verdict | null): Verdict | null {
  return newest !== null && newest.withdrawnAt === null ? newest : null;
}

/**
 * A request for changes needs words: a pending thread or a note.
 * @throws DomainError `note_required`.
 */
export function requireReason(verdict: VerdictKind, note: string | null, pendingThreads: number): void {
  if (verdict === 'changes-requested' && note === null && pendingThreads === 0)
    throw new DomainError(
      'invalid',
      'note_required',
      'Say what has to change: write a note, or leave a comment that is still pending.',
      { argument: 'note' },
    );
}

/** @throws DomainError `nothing_to_withdraw`, `forbidden` for another person's verdict. */
export function requireWithdrawable(
  verdict: Verdict,
  standingId: string | null,
  personId: string | null,
): void {
  if (verdict.reviewerUserId === null || verdict.reviewerUserId !== personId)
    throw forbidden('Only the person who gave a verdict may withdraw it.');
  if (verdict.id !== standingId)
    throw conflict('nothing_to_withdraw', 'You left no verdict on this version.');
}
