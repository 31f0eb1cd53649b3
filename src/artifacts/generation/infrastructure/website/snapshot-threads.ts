import { Worker } from 'node:worker_threads';
import { builtProgram } from '#libs/configuration/built-program.js';
import {
  type GeneratedSet,
  type GenerationContext,
  GenerationFailed,
} from '../../application/ports/artifact-generator.js';
import type { SnapshotWork } from './snapshot-work.js';

/** What the thread needs to fetch resources under the same guard. */
export interface ThreadSettings {
  readonly allow: readonly string[];
  readonly proxy: string | null;
}

export interface ThreadStart extends ThreadSettings {
  readonly work: SnapshotWork;
}

export type FromThread =
  | { readonly progress: number }
  | { readonly set: GeneratedSet }
  | { readonly fault: string };

const MEMORY_MB = 768;
const STACK_MB = 16;
/** Threads at a time; others wait their turn. */
const AT_ONCE = 2;
/** Beyond the time of the resources: for reading and writing the page itself. */
const GRACE_MS = 30_000;

/**
 * Copies pages in threads of their own: a page of strangers may take seconds and much memory to read, and must not hold
 * up or end the server.
 */
export class SnapshotThreads {
  private readonly turns: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly entry: string,
    private readonly settings: ThreadSettings,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** The built entry, from sources too when `dist/` is there; null when nothing was built. */
  static builtEntry(): string | null {
    return builtProgram('snapshot-entry');
  }

  /** @throws GenerationFailed when the page is too large to be read; the reason of the signal. */
  async make(
    work: SnapshotWork,
    context: Pick<GenerationContext, 'progress' | 'signal'>,
  ): Promise<GeneratedSet> {
    if (this.busy >= AT_ONCE) await new Promise<void>((go) => this.turns.push(go));
    this.busy += 1;
    try {
      context.signal.throwIfAborted();
      return await this.inThread(work, context);
    } finally {
      this.busy -= 1;
      this.turns.shift()?.();
    }
  }

  private async inThread(
    work: SnapshotWork,
    { progress, signal }: Pick<GenerationContext, 'progress' | 'signal'>,
  ): Promise<GeneratedSet> {
    const workerData: ThreadStart = { ...this.settings, work };
    const worker = new Worker(this.entry, {
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
    });
    let stop: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<GeneratedSet>((done, fail) => {
        stop = () => fail(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        timer = setTimeout(() => fail(tooLarge()), work.resourcesMs + this.graceMs);
        worker.on('message', (message: FromThread) => {
          if ('progress' in message) progress(message.progress);
          else if ('set' in message) done(message.set);
          else fail(/Maximum call stack/.test(message.fault) ? tooLarge() : new Error(message.fault));
        });
        worker.once('error', (error: NodeJS.ErrnoException) =>
          fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
        );
        worker.once('exit', () => fail(new Error('The thread ended without a result.')));
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop!);
      await worker.terminate();
    }
  }
}

function tooLarge(): GenerationFailed {
  return new GenerationFailed('The page is too large to be copied.');
}
