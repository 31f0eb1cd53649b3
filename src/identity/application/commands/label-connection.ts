import { Injectable } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { cleanText } from '#libs/kernel/text.js';
import { Connections } from '../ports/connections.js';

const LABEL_MAX = 100;

/** A connection names the machine that it runs on. The last write wins. */
@Injectable()
export class LabelConnection {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly connections: Connections,
    private readonly live: LiveUpdates,
  ) {}

  /** @throws InvalidInput `label`. */
  async execute(actor: ConnectionActor, input: { readonly label: unknown }): Promise<{ label: string }> {
    const problems = new Problems();
    let label = '';
    if (typeof input.label !== 'string') problems.add('label', 'must be text');
    else label = cleanText(problems, 'label', input.label, { max: LABEL_MAX, required: true, oneLine: true });
    problems.throwIfAny();
    await this.unitOfWork.run(async () => {
      const [connection] = await this.connections.lock({ id: actor.connectionId });
      if (!connection) throw notFound('Connection');
      connection.rename(label);
      await this.connections.save(connection);
      await this.live.publish(`me:${actor.personId}`, { type: 'connections', subjectId: actor.connectionId });
    });
    return { label };
  }
}
