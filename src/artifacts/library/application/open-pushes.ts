import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, type DomainError, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { type Push, Pushes, type WantedBlob, type WantedFile } from './ports/pushes.js';
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
    await this.check(actor, push && { ...push, committed: push.result !== null });
    return push!;
  }

  /** The file of a push whose bytes come; null when none has this hash. @throws as `require`. */
  async wanted(actor: Actor, pushId: string, sha256: string): Promise<WantedFile | null> {
    const push = await this.pushes.wanted(pushId, sha256);
    await this.check(actor, push);
    return push!.file;
  }

  private async check(
    actor: Actor,
    push: Pick<WantedBlob, 'projectId' | 'personId' | 'expiresAt' | 'committed'> | null,
  ): Promise<void> {
    if (!push || push.personId !== personIdOf(actor)) throw notFound('Push');
    await this.access.require(actor, push.projectId, 'contribute', 'Push');
    await this.workers.refuseWorkers(actor);
    if (!push.committed && push.expiresAt <= this.clock.now()) throw expired();
  }
}

function expired(): DomainError {
  return conflict(PUSH_EXPIRED, 'This push has expired. Start it again.');
}
