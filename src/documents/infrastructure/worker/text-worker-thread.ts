import { Worker } from 'node:worker_threads';
import { builtProgram } from '#libs/configuration/built-program.js';
import { DomainError, InvalidInput, type Problem, type RefusalKind } from '#libs/kernel/errors.js';
import type { TextWork, TextWorkResult } from './text-work.js';

/** What the worker thread sends back; exactly one of the last four. */
export interface WorkerAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly problems?: readonly Problem[];
  readonly refusal?: { readonly kind: RefusalKind; readonly code: string; readonly message: string };
  readonly fault?: string;
}

interface Waiting {
  readonly id: number;
  readonly work: TextWork;
  readonly limitMs: number;
  readonly onLimit: () => Error;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Pieces of work that may wait behind the running one. */
const MOST_WAITING = 8;

/** A thread without work ends after this, in milliseconds: an idle server needs its memory elsewhere. */
const IDLE_MS = 30_000;

/**
 * One worker thread for large texts, so that the event loop stays free. It is started on first use,
 * does one piece of work at a time, and is ended when a piece exceeds its limit.
 */
export class TextWorkerThread {
  private readonly waiting: Waiting[] = [];
  private running: Waiting | null = null;
  private worker: Worker | null = null;
  private timer: NodeJS.Timeout | null = null;
  private lastId = 0;

  constructor(private readonly entry: string) {}

  /** The built entry, from sources too when `dist/` is there; null when nothing was built. */
  static builtEntry(): string | null {
    return builtProgram('text-worker');
  }

  /**
   * @param limitMs from the start of this piece; waiting does not count
   * @throws DomainError `render_queue_full` when eight are waiting already
   */
  run<W extends TextWork>(work: W, limitMs: number, onLimit: () => Error): Promise<TextWorkResult<W>> {
    if (this.waiting.length >= MOST_WAITING) {
      return Promise.reject(
        new DomainError(
          'rate-limited',
          'render_queue_full',
          'Too many large documents are being worked on. Try again in a few seconds.',
          { retryAfterSeconds: 5 },
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({
        id: ++this.lastId,
        work,
        limitMs,
        onLimit,
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      this.next();
    });
  }

  /** Ends the thread; what runs or waits is refused. */
  async close(): Promise<void> {
    const ended = new DomainError(
      'unavailable',
      'stopping',
      'The server is stopping. Try again in a moment.',
    );
    for (const one of this.waiting.splice(0)) one.reject(ended);
    this.settle(ended);
    await this.endWorker();
  }

  private next(): void {
    if (this.running !== null) return;
    const next = this.waiting.shift();
    if (next === undefined) {
      this.startTimer(IDLE_MS, () => void this.endWorker());
      return;
    }
    this.running = next;
    this.startTimer(next.limitMs, () => this.failRunning(next.onLimit()));
    this.worker ??= this.startWorker();
    this.worker.ref();
    this.worker.postMessage({ id: next.id, work: next.work });
  }

  private startWorker(): Worker {
    const worker = new Worker(this.entry, { resourceLimits: { maxOldGenerationSizeMb: 1_024 } });
    worker.on('message', (answer: WorkerAnswer) => {
      if (this.worker === worker && answer.id === this.running?.id) this.finish(answer);
    });
    worker.on('error', (error) => {
      if (this.worker !== worker) return;
      // Out of memory is one more way of being too large; anything else is a fault.
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.failRunning(isTooLarge && this.running !== null ? this.running.onLimit() : error);
    });
    return worker;
  }

  private finish(answer: WorkerAnswer): void {
    if (answer.problems !== undefined) this.settle(new InvalidInput(answer.problems));
    else if (answer.refusal !== undefined) {
      this.settle(new DomainError(answer.refusal.kind, answer.refusal.code, answer.refusal.message));
    } else if (answer.fault !== undefined) this.settle(new Error(answer.fault));
    else this.settle(null, answer.result);
    this.worker?.unref();
    this.next();
  }

  private failRunning(error: unknown): void {
    void this.endWorker();
    this.settle(error);
    this.next();
  }

  private settle(error: unknown, result?: unknown): void {
    const { running } = this;
    this.running = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (running === null) return;
    if (error === null) running.resolve(result);
    else running.reject(error);
  }

  private startTimer(ms: number, onEnd: () => void): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(onEnd, ms);
    if (this.running === null) this.timer.unref();
  }

  private async endWorker(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    if (this.running === null && this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    await worker?.terminate();
  }
}
