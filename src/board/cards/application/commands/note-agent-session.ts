import { Injectable } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { InteractiveRuns } from '../ports/interactive-runs.js';

const MINUTE = 60_000;
/** Sessions that are remembered in a process; past that, one is written more often than needed. */
const REMEMBERED = 10_000;

/** Every call of an agent keeps its sessions on cards open; written at most once a minute for a session. */
@Injectable()
export class NoteAgentSession {
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly runs: InteractiveRuns,
    private readonly clock: Clock,
  ) {}

  async execute(actor: ConnectionActor): Promise<void> {
    const { agentSessionId } = actor;
    if (agentSessionId === null) return;
    const now = this.clock.now();
    const last = this.noted.get(agentSessionId);
    if (last !== undefined && now.getTime() - last < MINUTE) return;
    if (this.noted.size >= REMEMBERED) this.noted.clear();
    this.noted.set(agentSessionId, now.getTime());
    await this.runs.seen(agentSessionId, now);
  }
}
