import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { displayName } from '../../domain/display-name.js';
import type { Preferences } from '../../domain/person.js';
import { checkedPreferences } from '../../domain/preferences.js';
import { timezone } from '../../domain/timezone.js';
import { Persons } from '../ports/persons.js';

export interface ChangeAccountInput {
  readonly displayName?: string;
  readonly timezone?: string;
  /** Merged into the ones that are there; null takes one away. */
  readonly preferences?: unknown;
}

/** Name, timezone and display settings of one's own account. @throws InvalidInput with every wrong field. */
@Injectable()
export class ChangeAccount {
  constructor(
    private readonly persons: Persons,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(actor: PersonActor, input: ChangeAccountInput): Promise<void> {
    const problems = new Problems();
    const name = input.displayName === undefined ? undefined : displayName(problems, input.displayName);
    const zone = input.timezone === undefined ? undefined : timezone(problems, input.timezone);
    const preferences: Preferences | undefined =
      input.preferences === undefined ? undefined : checkedPreferences(problems, input.preferences);
    problems.throwIfAny();
    await this.unitOfWork.run(async () => {
      const person = await this.persons.byId(actor.personId);
      if (!person) throw notFound('Account');
      const merged = preferences && withoutNulls({ ...person.snapshot().preferences, ...preferences });
      const changed = person.edit(
        { displayName: name, timezone: zone, preferences: merged },
        this.clock.now(),
      );
      if (changed.length > 0) await this.persons.save(person);
    });
  }
}

function withoutNulls(preferences: Preferences): Preferences {
  return Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== null));
}
