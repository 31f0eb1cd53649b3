import { randomUUID } from 'node:crypto';
import { ExitCode } from '../core/exit-codes.js';
import { Failure, reasonOf } from '../core/failure.js';
import { CutBody, MalformedBody, passOn } from './answers.js';
import { CallError, End, Tired } from './call-errors.js';
import { type InputLine, idAtEdges } from './line-reader.js';
import { errorLine, type Message, messageOf, mirrorHeaders } from './messages.js';
import { limitOf, type Pace, realPace } from './pace.js';
import type { ProxyParts } from './proxy-parts.js';
import { ServerSession } from './server-session.js';
import { Slots } from './slots.js';

const AT_ONCE = 32;
const PATIENCE_MS = 60_000;
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const RETRY_AFTER_S = { usual: 2, longest: 30 };
const LAST_ANSWERS_MS = 5_000;

const TOO_LONG = 'The message is longer than 8 MiB. Send less at once.';

/** JSON-RPC lines of an agent to `POST /mcp` and back (`cli.md` 5.4). It knows no tool. */
export class McpProxy {
  private readonly pace: Pace;
  private readonly slots = new Slots(AT_ONCE);
  private readonly running = new Set<Promise<void>>();
  private readonly cancels = new Map<string | number, AbortController>();
  private readonly session: ServerSession;
  private readonly ended: Promise<Failure>;
  private end!: (failure: Failure) => void;

  constructor(private readonly parts: ProxyParts) {
    this.pace = parts.pace ?? realPace;
    this.ended = new Promise((done) => {
      this.end = done;
    });
    this.session = new ServerSession(parts, this.pace, (message, sessionId) =>
      this.exchange(message, sessionId, randomUUID(), null),
    );
  }

  /** Resolves when the process cannot go on. */
  get failure(): Promise<Failure> {
    return this.ended;
  }

  take(line: InputLine): void {
    if (line.kind === 'too-long') {
      this.parts.write(errorLine(idAtEdges(line.head, line.tail), -32600, TOO_LONG));
      return;
    }
    const message = messageOf(line.text);
    if (!message) {
      this.parts.write(errorLine(null, -32700, 'The line is no JSON-RPC message.'));
      return;
    }
    if (message.method === 'notifications/cancelled') this.cancel(message.params.requestId);
    const cancelled = new AbortController();
    if (message.id !== null && message.method !== null) this.cancels.set(message.id, cancelled);
    const work = this.slots
      .run(() => this.serve(message, cancelled.signal))
      .finally(() => {
        if (message.id !== null) this.cancels.delete(message.id);
        this.running.delete(work);
      });
    this.running.add(work);
  }

  /** The agent has closed its side: waits up to 5 s for answers, then ends a session of the server. */
  async close(): Promise<void> {
    const limit = limitOf(this.pace, LAST_ANSWERS_MS);
    const late = new Promise((done) => limit.signal.addEventListener('abort', done, { once: true }));
    await Promise.race([Promise.allSettled([...this.running]), late]);
    limit.stop();
    for (const cancel of this.cancels.values()) cancel.abort();
    await this.session.delete();
  }

  private cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.cancels.get(id)?.abort();
  }

  private async serve(message: Message, cancelled: AbortSignal): Promise<void> {
    const isRequest = message.id !== null && message.method !== null;
    try {
      if (cancelled.aborted) return;
      this.session.remember(message);
      await this.deliver(message, cancelled);
      if (message.method === 'notifications/initialized') this.session.listen();
    } catch (error) {
      if (cancelled.aborted) return;
      if (error instanceof End) this.end(error);
      const said = error instanceof CallError ? error.message : sentenceOf(error);
      if (isRequest) this.parts.write(errorLine(message.id, -32000, said));
      else this.parts.note(`loupe mcp: ${said}`);
    }
  }

  /** Sends a message in the session of now, and once more in a new one when the server has ended it. */
  private async deliver(message: Message, cancelled: AbortSignal): Promise<void> {
    const first = message.method === 'initialize' ? null : await this.session.forProject();
    // The same on each repeat, so that the server acts once.
    const requestId = randomUUID();
    const status = await this.exchange(message, first, requestId, cancelled);
    if (status !== 404 || first === null) return;
    const second = await this.session.reopen(first);
    if ((await this.exchange(message, second, requestId, cancelled)) === 404) {
      throw new End(
        ExitCode.failed,
        'Loupe refused the session that it had just opened',
        'restart the agent',
      );
    }
  }

  /**
   * One message until it is answered: repeats what the server did not answer.
   * @returns 404 when the server does not know the session any more, else the status of the answer
   */
  private async exchange(
    message: Message,
    sessionId: string | null,
    requestId: string,
    cancelled: AbortSignal | null,
  ): Promise<number> {
    const never = new AbortController().signal;
    let refreshedFrom: string | null = null;
    // Counts the time in which nothing came; what a body takes to arrive is no waiting.
    let left = PATIENCE_MS;
    for (let tries = 0; ; tries += 1) {
      const limit = limitOf(this.pace, left);
      const signal = AbortSignal.any([limit.signal, cancelled ?? never]);
      const begun = this.pace.now();
      let pause = (WAITS_MS[tries] ?? WAITS_MS.at(-1)!) * (0.8 + Math.random() * 0.4);
      try {
        const token = await this.token(refreshedFrom);
        const answer = await this.post(message, sessionId, token, requestId, signal);
        left -= this.pace.now() - begun;
        limit.stop();
        if (answer.status === 401 && refreshedFrom === null) {
          await answer.body?.cancel();
          refreshedFrom = token;
          continue;
        }
        const later = answer.status === 429 || (answer.status >= 502 && answer.status <= 504);
        if (!later) return await this.conclude(message, sessionId, answer);
        await answer.body?.cancel();
        if (answer.status === 429) pause = retryAfterOf(answer) * 1000;
      } catch (error) {
        if (!isTransient(error)) throw error;
        if (!limit.stopped) left -= this.pace.now() - begun;
      } finally {
        limit.stop();
      }
      if (left > 0) await this.pace.wait(Math.min(pause, left), cancelled ?? never);
      left -= pause;
      if (left <= 0 || cancelled?.aborted) throw new Tired();
    }
  }

  private token(refreshedFrom: string | null): Promise<string> {
    const { signIn } = this.parts;
    return refreshedFrom === null ? signIn.accessToken() : signIn.refreshed(refreshedFrom);
  }

  private post(
    message: Message,
    sessionId: string | null,
    token: string,
    requestId: string,
    signal: AbortSignal,
  ): Promise<Response> {
    return this.parts.fetch(`${this.parts.url}/mcp`, {
      method: 'POST',
      headers: {
        ...this.parts.headers,
        ...mirrorHeaders(message, this.session.agreedVersion),
        ...this.session.headers(token, sessionId),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(message.id === null ? {} : { 'loupe-request-id': requestId }),
      },
      body: message.text,
      signal,
    });
  }

  private async conclude(message: Message, sessionId: string | null, answer: Response): Promise<number> {
    const { status } = answer;
    if (answer.ok) {
      const answered = await passOn(answer, message.id, (line) => this.pass(message, line));
      this.session.opened(message, answer.headers.get('mcp-session-id'));
      if (message.id !== null && message.method !== null && !answered) throw new MalformedBody();
      return status;
    }
    const text = await answer.text().catch(() => '');
    if (status === 404 && sessionId !== null) return status;
    const said = wordsOf(text);
    if (status === 426) {
      throw new End(
        ExitCode.versionMismatch,
        said || 'this loupe and the server do not fit together',
        `run: curl -fsSL ${this.parts.url}/install.sh | sh`,
      );
    }
    if (status === 401) throw new CallError(`${said || 'Loupe refused the sign-in.'} Run \`loupe login\`.`);
    if (status === 403) throw new CallError(this.forbidden(said));
    throw new CallError(said || `Loupe answered with HTTP ${status}.`);
  }

  /** A message of the server; the first answer also says which version of the protocol holds. */
  private pass(message: Message, line: string): void {
    if (message.method === 'initialize') this.session.agree(line);
    // The answer to a handshake that the agent never asked for is none of its business.
    if (!this.session.isOwn(message)) this.parts.write(line);
  }

  private forbidden(said: string): string {
    const project = this.parts.project.current();
    const which =
      project === null ? 'No project is named' : `${this.parts.project.source} names the project ${project}`;
    return `${said || 'Loupe refused this.'} ${which}. Run \`loupe project link\` to choose another.`;
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof CutBody) return true;
  if (error instanceof Failure) return error.exitCode === ExitCode.unreachable;
  return !(error instanceof CallError) && !(error instanceof MalformedBody);
}

function retryAfterOf(answer: Response): number {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return RETRY_AFTER_S.usual;
  return Math.min(seconds, RETRY_AFTER_S.longest);
}

/** The sentence of a refusal, in whichever of the forms that the server uses. */
function wordsOf(text: string): string {
  try {
    const body = JSON.parse(text) as { message?: unknown; error?: { message?: unknown } | string } | null;
    const said = body?.message ?? (typeof body?.error === 'object' ? body.error?.message : body?.error);
    return typeof said === 'string' ? said : '';
  } catch {
    return text.length <= 500 && !text.includes('<') ? text.trim() : '';
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof MalformedBody) return 'Loupe sent an answer that is no JSON-RPC message.';
  if (error instanceof Failure) return `${error.what}: ${error.fix}.`;
  return reasonOf(error);
}
