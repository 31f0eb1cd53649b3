import { type ResolvedSelection, resolveSelections } from '../../domain/decisions.js';
import type { DecisionBlock, RenderedSection } from '../../domain/rendered-document.js';
import type { DecisionAnswer, SectionApproval } from '../ports/review-repository.js';

/** A decision of one version with the answer of today. */
export interface AnsweredDecision {
  readonly block: DecisionBlock;
  /** Null when it has neither a selection nor a note. */
  readonly answer: DecisionAnswer | null;
  readonly selections: readonly ResolvedSelection[];
}

/** Each block of the version with its answer; answers to blocks that are gone are left out. */
export function answeredDecisions(
  blocks: readonly DecisionBlock[],
  answers: readonly DecisionAnswer[],
): AnsweredDecision[] {
  const byId = new Map(answers.map((answer) => [answer.decisionId, answer]));
  return blocks.map((block) => {
    const stored = byId.get(block.id);
    const answer = stored && (stored.selections.length > 0 || stored.note !== null) ? stored : null;
    return { block, answer, selections: resolveSelections(answer?.selections ?? [], block.options) };
  });
}

/** A section of one version with the people who approved it as it reads there. */
export interface ApprovedSection {
  readonly section: RenderedSection;
  readonly people: readonly string[];
}

/** Who approved each section as it reads in this version. */
export function sectionApprovals(
  sections: readonly RenderedSection[],
  approvals: readonly SectionApproval[],
): ApprovedSection[] {
  return sections.map((section) => ({
    section,
    people: approvals
      .filter((a) => a.headingId === section.headingId && a.contentHash === section.contentHash)
      .map((a) => a.userId),
  }));
}
