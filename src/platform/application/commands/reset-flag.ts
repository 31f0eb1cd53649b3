import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { flagNamed } from '../../domain/flag-registry.js';
import { FlagValues } from '../ports/flag-values.js';

/** Takes the stored value of a flag away, so that the default holds; also removes rows that no definition knows. Safe to repeat. */
@Injectable()
export class ResetFlag {
  constructor(
    private readonly values: FlagValues,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly signals: Signals,
  ) {}

  /** @throws DomainError `not-found` for a name with neither definition nor row. */
  async execute(actor: Actor, input: { readonly name: string }): Promise<{ changed: boolean }> {
    requireAdmin(actor, 'Flag');
    const { name } = input;
    const result = await this.unitOfWork.run(async () => {
      const removed = await this.values.remove(name);
      if (removed === null) {
        if (!flagNamed(name)) throw notFound('Flag');
        return { changed: false };
      }
      await this.audit.record(actor, {
        operation: 'flag.reset',
        subjectType: 'flag',
        subjectId: name,
        context: { removed: removed.slice(0, 1_000) },
      });
      await this.outbox.publish(actor, {
        type: 'FlagChanged',
        aggregateId: `flag:${name}`,
        payload: { names: [name] },
      });
      await this.signals.publish('flags', { names: [name] });
      return { changed: true };
    });
    await this.flags.refresh();
    return result;
  }
}
