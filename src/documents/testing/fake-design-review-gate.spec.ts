import { designReviewGateContract } from './design-review-gate.contract.js';
import { FakeDesignReviewGate } from './fake-design-review-gate.js';

describe('the fake gate of design reviews keeps the contract', () => {
  let gate: FakeDesignReviewGate;
  beforeEach(() => {
    gate = new FakeDesignReviewGate();
  });

  designReviewGateContract(() => ({
    gate,
    addCard: async (...card) => gate.addCard(...card),
    startRun: async (sessionId, runId, cardId, role) => gate.startRun(sessionId, { runId, cardId, role }),
    endRun: async (sessionId) => gate.endRun(sessionId),
  }));
});
