import { ExitCode } from '../core/exit-codes.js';
import { reasonOf } from '../core/failure.js';
import { passStream } from './answers.js';
import { End, Tired } from './call-errors.js';
import { type Message, messageOf } from './messages.js';
import type { Pace } from './pace.js';
import type { ProxyParts } from './proxy-parts.js';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const LISTEN_AGAIN_MS = 1_000;
const FAREWELL_MS = 2_000;

/**
 * A session that a server, or something before it, may keep. Today's Loupe keeps none; then all of this rests. It
 * remembers the handshake of the agent and repeats it when the server has forgotten it.
 */
export class ServerSession {
  agreedVersion: string | null = null;
  private id: string | null = null;
  private project: string | null = null;
  private handshake: Message | null = null;
  private readonly own = new WeakSet<Message>();
  private reopening: Promise<string | null> | null = null;
  private listening: AbortController | null = null;

  constructor(
    private readonly parts: ProxyParts,
    private readonly pace: Pace,
    private readonly exchange: (message: Message, sessionId: string | null) => Promise<number>,
  ) {}

  headers(token: string, sessionId: string | null): Record<string, string> {
    const project = this.parts.project.current();
    return {
      authorization: `Bearer ${token}`,
      ...(project === null ? {} : { 'loupe-project-id': project }),
      ...(sessionId === null ? {} : { 'mcp-session-id': sessionId }),
    };
  }

  remember(message: Message): void {
    if (message.method === 'initialize') this.handshake = message;
  }

  isOwn(message: Message): boolean {
    return this.own.has(message);
  }

  agree(line: string): void {
    try {
      const version = (JSON.parse(line) as { result?: { protocolVersion?: unknown } }).result
        ?.protocolVersion;
      if (typeof version === 'string') this.agreedVersion = version;
    } catch {
      // passed on as it is
    }
  }

  opened(message: Message, id: string | null): void {
    if (message.method !== 'initialize') return;
    this.id = id;
    this.project = this.parts.project.current();
  }

  /** The session for the project of now; one of another project is opened again. */
  async forProject(): Promise<string | null> {
    if (this.reopening) return this.reopening;
    if (this.id !== null && this.parts.project.current() !== this.project) return this.reopen(this.id);
    return this.id;
  }

  /** Opens a new session in place of `old`; one at a time, and others wait for it. */
  reopen(old: string): Promise<string | null> {
    if (this.reopening) return this.reopening;
    if (this.id !== old) return Promise.resolve(this.id);
    this.reopening = this.open(old).finally(() => {
      this.reopening = null;
    });
    return this.reopening;
  }

  private async open(old: string): Promise<string | null> {
    if (!this.handshake) return null;
    const again = { ...this.handshake };
    this.own.add(again);
    try {
      await this.exchange(again, null);
      await this.exchange(messageOf(INITIALIZED)!, this.id);
    } catch (error) {
      // A server that is away for a while may open one later; one that refuses will not.
      if (error instanceof Tired) throw error;
      throw new End(ExitCode.failed, `Loupe opened no new session (${reasonOf(error)})`, 'restart the agent');
    }
    this.parts.note(`loupe mcp: Loupe ended session ${old}, opened ${this.id ?? 'none'} and carried on`);
    if (this.listening) {
      this.listening.abort();
      this.listening = null;
      this.listen();
    }
    return this.id;
  }

  /** Opens the stream of what a server says unasked, where one is offered, and opens it again quietly. */
  listen(): void {
    if (this.listening) return;
    const stop = new AbortController();
    this.listening = stop;
    void this.follow(stop.signal);
  }

  private async follow(stop: AbortSignal): Promise<void> {
    let last: string | null = null;
    while (!stop.aborted) {
      try {
        const token = await this.parts.signIn.accessToken();
        const answer = await this.parts.fetch(`${this.parts.url}/mcp`, {
          headers: this.listenHeaders(token, last),
          signal: stop,
        });
        const offered =
          answer.ok && (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
        if (!offered) {
          await answer.body?.cancel();
          if (answer.status < 500 && answer.status !== 401 && answer.status !== 429) return;
        } else {
          await passStream(answer, null, ({ data, id }) => {
            if (id) last = id;
            this.parts.write(data);
          });
        }
      } catch {
        // tried again below
      }
      await this.pace.wait(LISTEN_AGAIN_MS, stop);
    }
  }

  private listenHeaders(token: string, last: string | null): Record<string, string> {
    return {
      ...this.parts.headers,
      ...this.headers(token, this.id),
      accept: 'text/event-stream',
      ...(this.agreedVersion === null ? {} : { 'mcp-protocol-version': this.agreedVersion }),
      ...(last === null ? {} : { 'last-event-id': last }),
    };
  }

  /** Tells a server that keeps sessions that this one is over. */
  async delete(): Promise<void> {
    this.listening?.abort();
    if (this.id === null) return;
    try {
      const token = await this.parts.signIn.accessToken();
      await this.parts.fetch(`${this.parts.url}/mcp`, {
        method: 'DELETE',
        headers: { ...this.parts.headers, ...this.headers(token, this.id) },
        signal: AbortSignal.timeout(FAREWELL_MS),
      });
    } catch {
      // it will end by itself
    }
  }
}
