import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  DesignReviewGate,
  type DesignReviewPass,
  type DesignReviewQuestion,
  type DesignReviewRefusal,
} from '#src/documents/application/ports/design-review-gate.js';
import { CardWork } from './ports/card-work.js';

/**
 * Says for documents whether an agent session may review a draft: it belongs to a running worker of the card, with the
 * role that is asked for, and the card links the document. Runs in the transaction of the call.
 */
@Injectable()
export class DesignReviewDoor extends DesignReviewGate {
  constructor(
    private readonly database: Database,
    private readonly work: CardWork,
  ) {
    super();
  }

  override async check(question: DesignReviewQuestion): Promise<DesignReviewPass | DesignReviewRefusal> {
    const { projectId, cardId, documentId, sessionId, role } = question;
    const card = await this.database.one<{ number: number; links: boolean }>(
      `SELECT c.number, EXISTS (SELECT 1 FROM board.card_document d
                                 WHERE d.card_id = c.id AND d.document_id = $3) AS links
         FROM board.card c WHERE c.id = $1 AND c.project_id = $2`,
      [cardId, projectId, documentId],
    );
    if (!card) return 'card-not-found';
    const worker = sessionId === null ? null : await this.work.runningWorker(projectId, sessionId);
    if (worker?.cardId !== cardId || worker.role !== role) return 'no-role';
    return card.links ? { runId: worker.runId, cardNumber: card.number } : 'not-linked';
  }
}
