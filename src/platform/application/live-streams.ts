import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { SessionCheck } from './ports/session-check.js';

const PER_SESSION = 10;
const RECHECK_MS = 10_000;

/** A page that follows changes. */
export class OpenStream {
  closed = false;
  stopFollowing: () => void = () => undefined;

  constructor(
    readonly actor: PersonActor,
    readonly projectIds: readonly string[],
    private readonly sink: { end(): void },
    private readonly forget: (stream: OpenStream) => void,
  ) {}

  /** Ends the stream; a second call does nothing. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.stopFollowing();
    this.forget(this);
    this.sink.end();
  }
}

/**
 * The open streams of this process. Each loses its place within 10 s of logout, suspension, loss of membership or
 * deletion of a project: at once when the signal arrives, else by the regular check.
 */
@Injectable()
export class LiveStreams {
  private readonly streams = new Set<OpenStream>();
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | null = null;
  private stops: (() => void)[] = [];

  constructor(
    private readonly access: ProjectAccess,
    private readonly sessions: SessionCheck,
    private readonly signals: Signals,
    private readonly flags: Flags,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.recheck(), RECHECK_MS);
    this.timer.unref();
    this.stops = [
      this.signals.subscribe('access', () => void this.recheck()),
      this.signals.onResync(() => void this.recheck()),
      this.flags.onChange(() => {
        // Browsers that come back get 204 and stay away.
        if (!this.flags.isOn('live_updates.enabled')) this.closeAll();
      }),
    ];
  }

  stop(): void {
    clearInterval(this.timer);
    for (const stop of this.stops.splice(0)) stop();
    this.closeAll();
  }

  get count(): number {
    return this.streams.size;
  }

  /** Null when the session has its 10 streams in this process. */
  open(actor: PersonActor, projectIds: readonly string[], sink: { end(): void }): OpenStream | null {
    const open = [...this.streams].filter(({ actor: { sessionId } }) => sessionId === actor.sessionId);
    if (open.length >= PER_SESSION) return null;
    const stream = new OpenStream(actor, projectIds, sink, (gone) => this.streams.delete(gone));
    this.streams.add(stream);
    return stream;
  }

  /** Closes every stream whose session or membership has gone. Calls that come meanwhile lead to one more pass. */
  async recheck(): Promise<void> {
    if (this.checking) {
      await this.checking;
      if (this.checking) return this.checking;
    }
    this.checking = this.pass().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  private async pass(): Promise<void> {
    const answers = new Map<string, Promise<boolean>>();
    const once = (key: string, ask: () => Promise<boolean>): Promise<boolean> => {
      const known = answers.get(key);
      if (known) return known;
      // While the database is away nobody loses a stream; the next pass asks again.
      const asked = ask().catch(() => true);
      answers.set(key, asked);
      return asked;
    };
    for (const stream of [...this.streams]) {
      const { actor, projectIds } = stream;
      let holds = await once(`session ${actor.sessionId}`, () =>
        this.sessions.isOpen(actor.sessionId, actor.personId),
      );
      for (const projectId of projectIds) {
        holds &&= await once(`${actor.personId} ${projectId}`, () =>
          this.access.can(actor, projectId, 'read'),
        );
      }
      if (!holds) stream.close();
    }
  }

  private closeAll(): void {
    for (const stream of [...this.streams]) stream.close();
  }
}
