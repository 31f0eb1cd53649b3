/** One change that the server tells of; never its content. */
interface LiveEvent {
  readonly topic: string;
  readonly type: string;
  readonly subjectId: string;
  readonly version: number | null;
  readonly at: string;
}

/** `resync` means that events may be missing: fetch again what is on screen. */
export type LiveMessage = LiveEvent | { readonly type: 'resync' };

export type LiveState = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'off';

/** Whether one of the watched topics is meant. The server answers `me` with the topic of the person, `me:{id}`. */
export function hears(topics: readonly string[], topic: string): boolean {
  return topics.some((each) => each === topic || (each === 'me' && topic.startsWith('me:')));
}

/** The part of EventSource that the stream uses; a test gives its own. */
export interface Source {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onerror: ((event: Event) => void) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

const CLOSED = 2;
/** Waits before another try after the server refused the stream, in ms; the last one repeats. */
const BACKOFF = [2_000, 5_000, 15_000, 60_000];
/** The server takes at most this many topics in one stream. */
export const TOPICS_PER_STREAM = 20;

export interface LiveStreamOptions {
  readonly open: (url: string) => Source;
  readonly onMessage: (message: LiveMessage) => void;
  readonly onState: (state: LiveState) => void;
  readonly schedule?: (run: () => void, ms: number) => () => void;
}

/**
 * The event stream of this page. When the wanted topics change, the new stream opens before the old one ends, so that
 * no event falls between them. A stream that came back after an outage asks for a resync of its own accord.
 */
export class LiveStream {
  private wanted = '';
  private current: Source | null = null;
  private next: Source | null = null;
  private failures = 0;
  private cancelRetry: (() => void) | null = null;
  private wasLive = false;

  constructor(private readonly options: LiveStreamOptions) {}

  /** Watches exactly these topics from now on; none ends the stream. */
  want(topics: Iterable<string>): void {
    const wanted = [...new Set(topics)].sort().slice(0, TOPICS_PER_STREAM).join(',');
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.failures = 0;
    if (wanted === '') this.end();
    else this.connect();
  }

  private end(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.next?.close();
    this.current?.close();
    this.next = null;
    this.current = null;
    this.wanted = '';
    this.options.onState('idle');
  }

  private connect(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.next?.close();
    if (this.current === null) this.options.onState(this.wasLive ? 'reconnecting' : 'connecting');
    const source = this.options.open(`/api/live?topics=${encodeURIComponent(this.wanted)}`);
    this.next = source;
    source.onopen = () => {
      if (source === this.next) {
        this.current?.close();
        this.current = source;
        this.next = null;
      }
      if (source !== this.current) return;
      const back = this.failures > 0;
      this.failures = 0;
      this.wasLive = true;
      this.options.onState('live');
      if (back) this.options.onMessage({ type: 'resync' });
    };
    source.onerror = () => {
      if (source !== this.next && source !== this.current) return;
      this.failures += 1;
      if (source.readyState === CLOSED) this.retryLater(source);
      if (source === this.current || this.current === null) this.options.onState('reconnecting');
    };
    source.addEventListener('update', (event) => {
      const update = parse(event.data);
      if (update && (source === this.current || source === this.next)) this.options.onMessage(update);
    });
    source.addEventListener('resync', () => {
      if (source === this.current || source === this.next) this.options.onMessage({ type: 'resync' });
    });
  }

  private retryLater(source: Source): void {
    if (source === this.next) this.next = null;
    if (source === this.current) this.current = null;
    const wait = BACKOFF[Math.min(this.failures, BACKOFF.length) - 1] ?? 60_000;
    const schedule = this.options.schedule ?? later;
    this.cancelRetry = schedule(() => {
      this.cancelRetry = null;
      if (this.wanted !== '') this.connect();
    }, wait);
  }
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function parse(data: string): LiveEvent | null {
  try {
    const value = JSON.parse(data) as LiveEvent;
    return typeof value.topic === 'string' && typeof value.type === 'string' ? value : null;
  } catch {
    return null;
  }
}
