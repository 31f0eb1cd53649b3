import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Boards } from '../ports/boards.js';

/** The board goes with its project. */
@Injectable()
export class WhenProjectDeleted implements EventListener {
  readonly name = 'board-when-project-deleted';
  readonly types = ['ProjectDeleted'];

  constructor(private readonly boards: Boards) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.projectId !== null) await this.boards.purgeProject(event.projectId);
  }
}
