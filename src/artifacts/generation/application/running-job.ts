import type { Signals } from '#libs/kernel/ports/signals.js';
import type { GenerationJob } from '../domain/generation-job.js';
import { GenerationFailed } from './ports/artifact-generator.js';

const PROGRESS_PAUSE_MS = 500;

export interface JobHooks {
  /** Whether the job is still to be done. */
  isWanted(): Promise<boolean>;
  /** Keeps how far it is. */
  keep(percent: number): Promise<void>;
}

/** The time and the progress of a job while its generator works. */
export class RunningJob {
  private readonly cut = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly unsubscribe: () => void;
  private lastKept = Number.NEGATIVE_INFINITY;
  private percent = 1;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    job: GenerationJob,
    now: Date,
    signals: Signals,
    private readonly hooks: JobHooks,
  ) {
    const minutes = (job.deadline.getTime() - (job.progress.startedAt ?? now).getTime()) / 60_000;
    this.timer = setTimeout(
      () => this.cut.abort(new GenerationFailed(tookTooLong(minutes))),
      Math.max(0, job.deadline.getTime() - now.getTime()),
    );
    this.unsubscribe = signals.subscribe('artifact_status', ({ artifactId }) => {
      if (artifactId === job.facts.artifactId) void this.look();
    });
  }

  get signal(): AbortSignal {
    return this.cut.signal;
  }

  /** Keeps progress now and then; the end of the job says the rest. */
  readonly progress = (percent: number): void => {
    const time = performance.now();
    if (percent <= this.percent || time - this.lastKept < PROGRESS_PAUSE_MS || this.signal.aborted) return;
    this.percent = percent;
    this.lastKept = time;
    // Progress that cannot be kept is no reason to end the work.
    this.writing = this.writing.then(() => this.hooks.keep(percent)).catch(() => undefined);
  };

  /** Ends with the reason of the signal at once when it fires, whatever `work` does. */
  async until<T>(work: Promise<T>): Promise<T> {
    let stop: (() => void) | undefined;
    const cut = new Promise<never>((_, fail) => {
      stop = () => fail(this.signal.reason);
      if (this.signal.aborted) stop();
      this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, cut]);
    } finally {
      this.signal.removeEventListener('abort', stop!);
    }
  }

  /** After the generator: nothing is written behind its back any more. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.unsubscribe();
    await this.writing;
  }

  private async look(): Promise<void> {
    const wanted = await this.hooks.isWanted().catch(() => true);
    if (!wanted) this.cut.abort(new NoLongerWanted());
  }
}

/** The job ended by other hands while its generator worked. */
export class NoLongerWanted extends Error {
  override readonly name = 'NoLongerWanted';
}

export function tookTooLong(minutes: number): string {
  return `Generation took longer than ${Math.round(minutes)} minutes.`;
}
