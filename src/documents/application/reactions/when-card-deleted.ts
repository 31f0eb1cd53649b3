import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { AgentReviewRepository } from '../ports/agent-review-repository.js';

/** Agent reviews of a card that is gone stay on their documents, without its number. */
@Injectable()
export class WhenCardDeleted implements EventListener {
  readonly name = 'documents-when-card-deleted';
  readonly types = ['CardDeleted'];

  constructor(private readonly reviews: AgentReviewRepository) {}

  async handle(event: DomainEvent): Promise<void> {
    await this.reviews.forgetCard(event.aggregateId);
  }
}
