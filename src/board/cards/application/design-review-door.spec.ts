import type { DesignReviewRole } from '#src/documents/application/ports/design-review-gate.js';
import { designReviewGateContract } from '#src/documents/testing/design-review-gate.contract.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DesignReviewDoor } from './design-review-door.js';
import { CardWork } from './ports/card-work.js';

/** Runs of workers as a test says. */
class SaidCardWork extends CardWork {
  readonly running = new Map<string, { runId: string; cardId: string; role: DesignReviewRole }>();

  override async runningWorker(_projectId: string, sessionId: string) {
    return this.running.get(sessionId) ?? null;
  }

  override async cancelUnclaimed(): Promise<number> {
    return 0;
  }

  override async openRuns(): Promise<readonly string[]> {
    return [];
  }

  override async askUsage(): Promise<number> {
    return 0;
  }

  override async runOfSession(): Promise<null> {
    return null;
  }
}

describe('DesignReviewDoor', () => {
  let test: TestDatabase;
  let work: SaidCardWork;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(() => {
    work = new SaidCardWork();
  });

  designReviewGateContract(() => ({
    gate: new DesignReviewDoor(test.database, work),
    addCard: async (projectId, cardId, number, documentIds) => {
      await test.database.query(
        `INSERT INTO board.board (project_id, id, created_at) VALUES ($1, gen_random_uuid(), now()) ON CONFLICT DO NOTHING`,
        [projectId],
      );
      const column = await test.database.one<{ id: string }>(
        `INSERT INTO board.board_column (id, project_id, label, slug, position, backlog, terminal, colour, revision)
         VALUES (gen_random_uuid(), $1, 'Column ' || $2::int, 'column-' || $2::int, $2, false, false, 'slate', 1)
         RETURNING id`,
        [projectId, number],
      );
      await test.database.query(
        `INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind,
                                 created_at, updated_at, revision)
         VALUES ($1, $2, $3, 'A card', 'feature', $4, 1, 'agent', 'agent', now(), now(), 1)`,
        [cardId, projectId, number, column!.id],
      );
      for (const [position, documentId] of documentIds.entries()) {
        await test.database.query('INSERT INTO board.card_document VALUES ($1, $2, $3, $4)', [
          cardId,
          documentId,
          projectId,
          position,
        ]);
      }
    },
    startRun: async (sessionId, runId, cardId, role) => {
      work.running.set(sessionId, { runId, cardId, role });
    },
    endRun: async (sessionId) => {
      work.running.delete(sessionId);
    },
  }));
});
