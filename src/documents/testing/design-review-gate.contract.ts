import { UuidV7Ids } from '#libs/kernel/ids.js';
import type {
  DesignReviewGate,
  DesignReviewQuestion,
  DesignReviewRole,
} from '../application/ports/design-review-gate.js';

/** A world in which a gate answers: one card that links one document, and running workers. */
export interface GateWorld {
  readonly gate: DesignReviewGate;
  addCard(projectId: string, cardId: string, number: number, documentIds: readonly string[]): Promise<void>;
  startRun(sessionId: string, runId: string, cardId: string, role: DesignReviewRole): Promise<void>;
  endRun(sessionId: string): Promise<void>;
}

/** What documents rely on, whoever serves the gate. Call it inside a `describe` of the adapter. */
export function designReviewGateContract(world: () => GateWorld): void {
  const ids = new UuidV7Ids();
  let question: DesignReviewQuestion;
  let runId: string;

  beforeEach(async () => {
    question = {
      projectId: ids.next(),
      cardId: ids.next(),
      documentId: ids.next(),
      sessionId: 'worker',
      role: 'design-review',
    };
    runId = ids.next();
    await world().addCard(question.projectId, question.cardId, 42, [question.documentId]);
    await world().startRun('worker', runId, question.cardId, 'design-review');
  });

  const check = (part: Partial<DesignReviewQuestion> = {}) => world().gate.check({ ...question, ...part });

  it('lets the running worker with the role pass, and names its run and the card', async () => {
    expect(await check()).toEqual({ runId, cardNumber: 42 });
  });

  it('knows no card of another project, whatever else is wrong', async () => {
    expect(await check({ cardId: ids.next() })).toBe('card-not-found');
    expect(await check({ projectId: ids.next(), sessionId: null })).toBe('card-not-found');
  });

  it('wants a session, a running one, of this card, with this role, before it looks at links', async () => {
    const unlinked = ids.next();
    expect(await check({ sessionId: null, documentId: unlinked })).toBe('no-role');
    expect(await check({ sessionId: 'nobody' })).toBe('no-role');
    expect(await check({ role: 'design-revise' })).toBe('no-role');
    const other = ids.next();
    await world().addCard(question.projectId, other, 43, [question.documentId]);
    expect(await check({ cardId: other })).toBe('no-role');
    await world().endRun('worker');
    expect(await check()).toBe('no-role');
  });

  it('wants the document linked', async () => {
    expect(await check({ documentId: ids.next() })).toBe('not-linked');
  });
}
