import {
  DesignReviewGate,
  type DesignReviewPass,
  type DesignReviewQuestion,
  type DesignReviewRefusal,
  type DesignReviewRole,
} from '../application/ports/design-review-gate.js';

interface RunOfTest {
  readonly runId: string;
  readonly cardId: string;
  readonly role: DesignReviewRole;
}

/** Cards, their links and the running workers of a test. */
export class FakeDesignReviewGate extends DesignReviewGate {
  private readonly cards = new Map<string, { projectId: string; number: number; documents: Set<string> }>();
  private readonly runs = new Map<string, RunOfTest>();

  addCard(projectId: string, cardId: string, number: number, documentIds: readonly string[]): void {
    this.cards.set(cardId, { projectId, number, documents: new Set(documentIds) });
  }

  startRun(sessionId: string, run: RunOfTest): void {
    this.runs.set(sessionId, run);
  }

  endRun(sessionId: string): void {
    this.runs.delete(sessionId);
  }

  override async check(question: DesignReviewQuestion): Promise<DesignReviewPass | DesignReviewRefusal> {
    const card = this.cards.get(question.cardId);
    if (card?.projectId !== question.projectId) return 'card-not-found';
    const run = question.sessionId === null ? undefined : this.runs.get(question.sessionId);
    if (run?.cardId !== question.cardId || run.role !== question.role) return 'no-role';
    return card.documents.has(question.documentId)
      ? { runId: run.runId, cardNumber: card.number }
      : 'not-linked';
  }
}
