import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { isRecentProof } from '../domain/web-session.js';
import { WebSessions } from './ports/web-sessions.js';

/** For acts that need a person to have proved lately who they are. The console needs no proof. */
@Injectable()
export class RecentProof {
  constructor(
    private readonly sessions: WebSessions,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `confirm_first` when the last proof is older than 10 minutes. */
  async require(actor: Actor): Promise<void> {
    if (actor.kind !== 'person') return;
    const authTime = await this.sessions.authTime(actor.sessionId);
    if (!authTime || !isRecentProof(authTime, this.clock.now())) {
      throw new DomainError('forbidden', 'confirm_first', 'Enter your password again to go on.');
    }
  }
}
