import { conflict, DomainError, InvalidInput, type Problem } from '#libs/kernel/errors.js';
import type { FindingAnswer, FindingAnswerText, FindingText } from './agent-review-texts.js';

export type ReviewOutcome = 'passed' | 'failed';

export interface Finding extends FindingText {
  readonly id: string;
  /** Null until the review is answered. */
  readonly answer: FindingAnswer | null;
  readonly reason: string | null;
}

export interface AgentReviewState {
  readonly id: string;
  readonly documentId: string;
  readonly cardId: string;
  /** Null once the card is gone. */
  readonly cardNumber: number | null;
  readonly runId: string;
  readonly sessionId: string;
  readonly versionNumber: number;
  /** Whether the version was the newest when the review was written. */
  readonly wasCurrent: boolean;
  readonly outcome: ReviewOutcome;
  readonly summary: string | null;
  readonly findings: readonly Finding[];
  readonly submittedAt: Date;
  readonly answeredAt: Date | null;
  readonly answerRunId: string | null;
}

export type NewAgentReview = Omit<AgentReviewState, 'outcome' | 'findings' | 'answeredAt' | 'answerRunId'> & {
  readonly findings: readonly (FindingText & { readonly id: string })[];
};

/** What a worker run found in a draft, written once and answered once (`documents.md` 2.6). */
export class AgentReview {
  private constructor(private facts: AgentReviewState) {}

  /** Failed when a finding is for the author; those for a person alone let it pass. */
  static submit(input: NewAgentReview): AgentReview {
    return new AgentReview({
      ...input,
      outcome: input.findings.some((finding) => !finding.needsPerson) ? 'failed' : 'passed',
      findings: input.findings.map((finding) => ({ ...finding, answer: null, reason: null })),
      answeredAt: null,
      answerRunId: null,
    });
  }

  static restore(state: AgentReviewState): AgentReview {
    return new AgentReview(state);
  }

  get state(): AgentReviewState {
    return this.facts;
  }

  /** Whether it says just this, so that the call is a repeat. */
  says(summary: string | null, findings: readonly FindingText[]): boolean {
    const text = ({ title, body, section, needsPerson }: FindingText) => [title, body, section, needsPerson];
    return (
      summary === this.facts.summary &&
      JSON.stringify(findings.map(text)) === JSON.stringify(this.facts.findings.map(text))
    );
  }

  /**
   * Takes one answer for each finding. False when it holds just these already.
   * @throws InvalidInput when the answers are not those of its findings; DomainError `no_findings`, `answered`.
   */
  answer(answers: readonly FindingAnswerText[], runId: string, at: Date): boolean {
    const { findings } = this.facts;
    if (findings.length === 0)
      throw new DomainError('conflict', 'no_findings', 'The latest review has no findings to answer.', {
        argument: 'documentId',
      });
    this.requireOneEach(answers);
    const given = new Map(answers.map((answer) => [answer.findingId, answer]));
    const answered = findings.map((finding) => {
      const { answer, reason } = given.get(finding.id)!;
      return { ...finding, answer, reason };
    });
    if (this.facts.answeredAt !== null) {
      if (JSON.stringify(answered) === JSON.stringify(findings)) return false;
      throw conflict('answered', 'That review is already answered.', { argument: 'documentId' });
    }
    this.facts = { ...this.facts, findings: answered, answeredAt: at, answerRunId: runId };
    return true;
  }

  private requireOneEach(answers: readonly FindingAnswerText[]): void {
    const problems: Problem[] = [];
    const seen = new Set<string>();
    const known = new Set(this.facts.findings.map(({ id }) => id));
    answers.forEach(({ findingId }, index) => {
      const argument = `answers[${index}].findingId`;
      if (!known.has(findingId)) problems.push({ argument, sentence: 'Not a finding of that review.' });
      else if (seen.has(findingId)) problems.push({ argument, sentence: 'This finding is answered twice.' });
      seen.add(findingId);
    });
    for (const { id, title } of this.facts.findings) {
      if (!seen.has(id))
        problems.push({ argument: 'answers', sentence: `Missing an answer for: ${id} "${title}".` });
    }
    if (problems.length > 0) throw new InvalidInput(problems);
  }
}
