import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Boards } from '../ports/boards.js';

/** Cards, history and holds of somebody who left stay, without the name. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'board-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(private readonly boards: Boards) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.personId !== null) await this.boards.forgetPerson(event.personId);
  }
}
