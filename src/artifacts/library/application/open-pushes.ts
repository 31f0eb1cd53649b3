import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, type DomainError, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { type Push, Pushes } from './ports/pushes.js';
import { WorkerDoor } from './worker-door.js';

/** The code of a push that ran out; over HTTP it is 410. */
export const PUSH_EXPIRED = 'expired';

/** A push, for the one who began it. */
@Injectable()
export class OpenPushes {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workers: WorkerDoor,
    private readonly pushes: Pushes,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found`, `forbidden`, `conflict` `expired`; one that was committed never runs out here. */
  async require(actor: Actor, pushId: string): Promise<Push> {
    const push = await this.pushes.find(pushId);
    if (!push || push.personId !== personIdOf(actor)) throw notFound('Push');
    await this.access.require(actor, push.projectId, 'contribute', 'Push');
    await this.workers.refuseWorkers(actor);
    if (push.result === null && push.expiresAt <= this.clock.now()) throw expired();
    return push;
  }
}

function expired(): DomainError {
  return conflict(PUSH_EXPIRED, 'This push has expired. Start it again.');
}
