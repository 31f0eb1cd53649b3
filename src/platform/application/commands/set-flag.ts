import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { InvalidInput, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { parseFlag } from '../../domain/flag-definition.js';
import { flagNamed } from '../../domain/flag-registry.js';
import { FlagValues } from '../ports/flag-values.js';

export interface SetFlagInput {
  readonly name: string;
  readonly value: unknown;
}

/** Changes a flag for the whole instance; in this process it holds at once. The last of two admins wins and both are in the log; the same value again changes nothing. */
@Injectable()
export class SetFlag {
  constructor(
    private readonly values: FlagValues,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput with the bounds; DomainError `not-found` for a name that no definition knows. */
  async execute(actor: Actor, input: SetFlagInput): Promise<{ changed: boolean }> {
    requireAdmin(actor, 'Flag');
    const definition = flagNamed(input.name);
    if (!definition) throw notFound('Flag');
    const parsed = parseFlag(definition, input.value, (name) => this.flags.int(name));
    if (parsed.problem !== undefined) {
      throw new InvalidInput([{ argument: 'value', sentence: parsed.problem }]);
    }
    const result = await this.unitOfWork.run(async () => {
      const changed = await this.values.set({
        name: input.name,
        value: parsed.stored,
        updatedAt: this.clock.now(),
        updatedBy: personIdOf(actor),
      });
      if (!changed) return { changed };
      await this.audit.record(actor, {
        operation: 'flag.changed',
        subjectType: 'flag',
        subjectId: input.name,
        context: { value: parsed.stored.slice(0, 1_000) },
      });
      await this.outbox.publish(actor, {
        type: 'FlagChanged',
        aggregateId: `flag:${input.name}`,
        payload: { names: [input.name] },
      });
      await this.signals.publish('flags', { names: [input.name] });
      return { changed };
    });
    await this.flags.refresh();
    return result;
  }
}
