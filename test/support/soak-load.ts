import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { pause } from './until.js';

/** What came back, or what went wrong before anything could. */
export interface Answer {
  /** 0 when the connection broke before an answer. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  /** Code of a broken connection, such as ECONNRESET. */
  readonly fault: string | null;
}

/** One thing to do over HTTP. */
export interface Deed {
  /** For the figures: `document_create`, say. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be sent again when nobody knows what became of it. */
  readonly repeatable: boolean;
  /** Called with what a good answer says. */
  readonly done?: (text: string) => void;
  /** Called when it was given up, or answered with anything else. */
  readonly gaveUp?: () => void;
}

export interface Failure {
  readonly kind: string;
  readonly status: number;
  readonly fault: string | null;
  readonly text: string;
}

/** Tries of one deed before it counts as failed; with the pauses between them, more than a minute. */
const TRIES = 90;
/** What tools say when nothing could happen, or the same is still going on. */
const TRY_AGAIN = /"text":"(The database cannot be reached\. Try again|[^"]*still runs\. Repeat it)/;
const TICK_MS = 20;

/**
 * Sends deeds at a steady pace, however long their answers take, and sends again what a careful client may: what was
 * refused with 503 and `Retry-After` or found nobody, and anything that is safe to repeat.
 */
export class SoakLoad {
  readonly failures: Failure[] = [];
  /** By kind, the milliseconds of each call until its good answer, repeats included. */
  readonly times = new Map<string, number[]>();
  readonly repeats = { unavailable: 0, cut: 0 };
  /** How often each status came, repeats included; 503 without `Retry-After` stands apart, as do broken connections. */
  readonly statuses = new Map<string, number>();
  /** Milliseconds of the longest single answer. */
  slowest = 0;
  /** Deeds that were not sent, because too many waited. */
  heldBack = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly origin: string,
    private readonly perSecond: number,
    /** Calls that may be under way together. */
    private readonly atOnce: number,
    private readonly next: () => Deed,
  ) {}

  /** Sends until `over` says so, then waits for the last answers. @returns seconds of sending */
  async run(over: () => boolean): Promise<number> {
    const started = performance.now();
    let sent = 0;
    while (!over()) {
      const due = ((performance.now() - started) / 1_000) * this.perSecond;
      for (; sent < due; sent += 1) {
        if (this.running.size >= this.atOnce) {
          this.heldBack += 1;
          continue;
        }
        const one = this.perform(this.next()).finally(() => this.running.delete(one));
        this.running.add(one);
      }
      await pause(TICK_MS);
    }
    const seconds = (performance.now() - started) / 1_000;
    await Promise.all(this.running);
    return seconds;
  }

  /** One deed, with all the repeats that it may have. */
  async perform(deed: Deed): Promise<void> {
    const started = performance.now();
    for (let tries = 1; ; tries += 1) {
      const sent = performance.now();
      const answer = await this.send(deed);
      this.slowest = Math.max(this.slowest, performance.now() - sent);
      const status = nameOf(answer);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (isGood(answer)) {
        const times = this.times.get(deed.kind) ?? [];
        this.times.set(deed.kind, times);
        times.push(performance.now() - started);
        deed.done?.(answer.text);
        return;
      }
      const refused =
        (answer.status === 503 && answer.retryAfter !== null) ||
        answer.fault === 'ECONNREFUSED' ||
        TRY_AGAIN.test(answer.text);
      const cut = answer.status === 0 || answer.status === 502;
      if (tries === TRIES || !(refused || (cut && deed.repeatable))) {
        const { status, fault, text } = answer;
        this.failures.push({ kind: deed.kind, status, fault, text: text.slice(0, 300) });
        deed.gaveUp?.();
        return;
      }
      if (refused) this.repeats.unavailable += 1;
      else this.repeats.cut += 1;
      await pause(refused ? 1_000 : 100);
    }
  }

  get calls(): number {
    return [...this.times.values()].reduce((sum, { length }) => sum + length, 0) + this.failures.length;
  }

  /** Share `p` of all calls took at most so many milliseconds. */
  percentile(p: number): number {
    const all = [...this.times.values()].flat().sort((a, b) => a - b);
    return all[Math.min(all.length - 1, Math.floor(all.length * p))] ?? 0;
  }

  close(): void {
    this.agent.destroy();
  }

  private send({ method, path, headers, body }: Deed): Promise<Answer> {
    return new Promise((settle) => {
      const broken = (error: NodeJS.ErrnoException): void =>
        settle({ status: 0, retryAfter: null, text: '', fault: error.code ?? error.message });
      const outgoing = request(
        new URL(path, this.origin),
        { method, agent: this.agent, headers, timeout: 70_000 },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', broken);
          incoming.on('aborted', () => broken(new Error('aborted')));
          incoming.on('end', () =>
            settle({
              status: incoming.statusCode ?? 0,
              retryAfter: incoming.headers['retry-after'] ?? null,
              text: Buffer.concat(chunks).toString(),
              fault: null,
            }),
          );
        },
      );
      outgoing.on('error', broken);
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 70 s')));
      outgoing.end(body);
    });
  }
}

function nameOf({ status, fault, retryAfter }: Answer): string {
  if (fault !== null) return fault;
  return status === 503 && retryAfter === null ? '503 without Retry-After' : String(status);
}

/** Tools refuse with a good status and a mark in the answer. */
function isGood({ status, text }: Answer): boolean {
  return status >= 200 && status < 300 && !/"isError":true|"error":\{"code"/.test(text);
}

/** A call of a tool over MCP. With `requestId` it may be repeated, whatever it does. */
export function toolDeed(
  token: string,
  name: string,
  args: object,
  options: Pick<Deed, 'done' | 'gaveUp'> & {
    readonly repeatable?: boolean;
    readonly requestId?: boolean;
  } = {},
): Deed {
  const { repeatable = false, requestId = false, done, gaveUp } = options;
  return {
    kind: name,
    method: 'POST',
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      authorization: `Bearer ${token}`,
      ...(requestId && { 'loupe-request-id': randomUUID() }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    repeatable: repeatable || requestId,
    done,
    gaveUp,
  };
}
