import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import {
  type DesignReviewPass,
  type DesignReviewQuestion,
  DocumentHooks,
} from './ports/design-review-gate.js';

/** Asks the board whether a caller is a worker that may review or revise a draft. */
@Injectable()
export class DesignReviewDoor {
  constructor(
    private readonly hooks: DocumentHooks,
    private readonly flags: Flags,
  ) {}

  /** @throws DomainError `switched_off` when the board is off or serves no gate. */
  requireOpen(): void {
    if (this.hooks.designReviewGate === null || !this.flags.isOn('board.enabled'))
      throw new DomainError('switched-off', 'switched_off', this.flags.refusal('board.enabled'));
  }

  /** @throws DomainError `not-found`, `no_role`, `not_linked`. */
  async pass(question: DesignReviewQuestion): Promise<DesignReviewPass> {
    this.requireOpen();
    const answer = await this.hooks.designReviewGate!.check(question);
    if (typeof answer === 'object') return answer;
    switch (answer) {
      case 'card-not-found':
        throw notFound('Card', 'cardId');
      case 'no-role':
        throw new DomainError('forbidden', 'no_role', ROLE_SENTENCES[question.role], {
          argument: 'sessionId',
        });
      case 'not-linked':
        throw new DomainError('conflict', 'not_linked', 'The card does not link this document.', {
          argument: 'documentId',
        });
    }
  }
}

const ROLE_SENTENCES = {
  'design-review':
    'Only a running worker of this card with the design-review role can submit a design review.',
  'design-revise':
    'Only a running worker of this card with the design-revise role can answer a design review.',
} as const;
