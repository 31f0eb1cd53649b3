import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';

/** A refresh token that is used again after its time may be stolen: its person gets a mail (`identity.md` 5.7). */
@Injectable()
export class TellOfReuse implements EventListener, OnModuleInit {
  readonly name = 'identity-tell-of-reuse';
  readonly types = ['ConnectionRevoked'] as const;

  constructor(
    private readonly listeners: EventListeners,
    private readonly persons: Persons,
    private readonly mails: AccountMails,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  async handle(event: DomainEvent): Promise<void> {
    if (event.payload.reason !== 'refresh-reuse' || event.personId === null) return;
    const person = await this.persons.byId(event.personId);
    if (person?.state === 'active') await this.mails.tokenReused(person.snapshot(), event.id);
  }
}
