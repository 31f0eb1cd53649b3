import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { CardLinks } from '../ports/card-links.js';

/** Links go with their card. */
@Injectable()
export class WhenCardDeleted implements EventListener {
  readonly name = 'artifacts-when-card-deleted';
  readonly types = ['CardDeleted'];

  constructor(
    private readonly links: CardLinks,
    private readonly live: LiveUpdates,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    for (const subjectId of await this.links.dropCard(event.aggregateId)) {
      await this.live.publish(`project:${event.projectId}:artifacts`, { type: 'cards', subjectId });
    }
  }
}
