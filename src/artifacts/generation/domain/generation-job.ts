import type { GenerationRequest } from './generation-request.js';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Minutes that a generator of the server may take. */
export const BUILT_IN_MINUTES = 10;
/** Minutes after a bridge took the work. */
export const BRIDGE_MINUTES = 60;
/** Hours that work may wait for a bridge. */
export const UNTAKEN_HOURS = 24;

const MINUTE = 60_000;
const MAX_NOTES = 20;
const MAX_NOTE = 300;
const MAX_ERROR = 500;

export interface JobFacts {
  readonly jobId: string;
  readonly artifactId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  readonly request: GenerationRequest;
  readonly requestIdentity: string;
  readonly generator: string;
  readonly requestedBy: { readonly kind: 'person' | 'agent'; readonly personId: string | null };
  readonly createdAt: Date;
}

export interface JobProgress {
  readonly state: JobState;
  readonly progress: number;
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Latest version when a bridge took the work; null for generators of the server. */
  readonly baseVersion: number | null;
}

/** One run of a generator for one artifact. A job that ended stays as it is. */
export class GenerationJob {
  constructor(
    readonly facts: JobFacts,
    private now: JobProgress,
  ) {}

  static queued(facts: JobFacts, notes: readonly string[]): GenerationJob {
    const none = { error: null, startedAt: null, finishedAt: null, baseVersion: null };
    return new GenerationJob(facts, { state: 'queued', progress: 0, notes: cut(notes), ...none });
  }

  get progress(): JobProgress {
    return this.now;
  }

  get isActive(): boolean {
    return this.now.state === 'queued' || this.now.state === 'running';
  }

  get isBridgeWork(): boolean {
    return this.facts.generator === 'bridge-worker';
  }

  /** When the job fails if nothing else happens. */
  get deadline(): Date {
    const { startedAt } = this.now;
    if (startedAt) {
      const minutes = this.isBridgeWork ? BRIDGE_MINUTES : BUILT_IN_MINUTES;
      return new Date(startedAt.getTime() + minutes * MINUTE);
    }
    return new Date(this.facts.createdAt.getTime() + UNTAKEN_HOURS * 60 * MINUTE);
  }

  /** A queue worker, or a bridge, takes the job. One that runs already goes on, as after a crash. */
  start(at: Date): boolean {
    if (!this.isActive) return false;
    if (this.now.state === 'queued') this.now = { ...this.now, state: 'running', progress: 1, startedAt: at };
    return true;
  }

  /** A bridge takes the work, once. */
  take(baseVersion: number, at: Date): boolean {
    if (this.now.state !== 'queued' || !this.isBridgeWork) return false;
    this.start(at);
    this.now = { ...this.now, baseVersion };
    return true;
  }

  /** Never falls, and ends below 100. @returns whether it rose. */
  advance(progress: number): boolean {
    const wanted = Math.min(Math.max(Math.floor(progress), 0), 99);
    if (this.now.state !== 'running' || wanted <= this.now.progress) return false;
    this.now = { ...this.now, progress: wanted };
    return true;
  }

  succeed(notes: readonly string[], at: Date): boolean {
    if (this.now.state !== 'running') return false;
    const all = cut([...new Set([...this.now.notes, ...notes])]);
    this.now = { ...this.now, state: 'succeeded', progress: 100, notes: all, finishedAt: at };
    return true;
  }

  fail(error: string, at: Date): boolean {
    return this.end('failed', error, at);
  }

  cancel(at: Date): boolean {
    return this.end('cancelled', 'Cancelled.', at);
  }

  private end(state: 'failed' | 'cancelled', error: string, at: Date): boolean {
    if (!this.isActive) return false;
    this.now = { ...this.now, state, error: error.slice(0, MAX_ERROR), finishedAt: at };
    return true;
  }
}

function cut(notes: readonly string[]): string[] {
  return notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE));
}
