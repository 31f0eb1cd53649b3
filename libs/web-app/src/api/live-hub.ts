import {
  hears,
  type LiveMessage,
  type LiveState,
  LiveStream,
  type Source,
  TOPICS_PER_STREAM,
} from './live-stream';

/** What a page says to the hub. It repeats its wish now and then, which also tells that it is still there. */
export type ToHub = { readonly topics: readonly string[] } | { readonly bye: true };

/** What the hub says to a page. */
export type FromHub = { readonly message: LiveMessage } | { readonly state: LiveState };

/** A page that said nothing for this long is gone, in ms. Pages in the background may speak only once a minute. */
export const SILENT_AFTER_MS = 3 * 60_000;
/** How often a page repeats what it wants, in ms. */
export const REPEAT_EVERY_MS = 30_000;

export interface Page {
  post(message: FromHub): void;
}

export interface LiveHubOptions {
  readonly open: (url: string) => Source;
  readonly now?: () => number;
  readonly schedule?: (run: () => void, ms: number) => () => void;
}

interface Member {
  topics: readonly string[];
  heardAt: number;
}

/**
 * One set of event streams for all pages of a browser. The server takes 20 topics in a stream and 10 streams in a
 * session, and without HTTP/2 a browser opens six connections to a host, so each page with a stream of its own would
 * soon leave none for the data.
 */
export class LiveHub {
  private readonly pages = new Map<Page, Member>();
  private readonly streams: { stream: LiveStream; state: LiveState }[] = [];
  private state: LiveState = 'idle';

  constructor(private readonly options: LiveHubOptions) {}

  hear(page: Page, said: ToHub): void {
    if ('bye' in said) {
      this.pages.delete(page);
    } else {
      if (!this.pages.has(page)) page.post({ state: this.state });
      this.pages.set(page, { topics: said.topics, heardAt: this.now() });
    }
    this.replan();
  }

  /** Forgets pages that went without a word. */
  sweep(): void {
    const oldest = this.now() - SILENT_AFTER_MS;
    for (const [page, { heardAt }] of this.pages) if (heardAt < oldest) this.pages.delete(page);
    this.replan();
  }

  private replan(): void {
    const topics = [...new Set([...this.pages.values()].flatMap((member) => member.topics))].sort();
    const needed = Math.ceil(topics.length / TOPICS_PER_STREAM);
    while (this.streams.length < needed) this.streams.push(this.newStream());
    for (const [index, { stream }] of this.streams.entries()) {
      stream.want(topics.slice(index * TOPICS_PER_STREAM, (index + 1) * TOPICS_PER_STREAM));
    }
    this.streams.length = needed;
    this.tellState();
  }

  private newStream(): { stream: LiveStream; state: LiveState } {
    const entry: { stream: LiveStream; state: LiveState } = {
      state: 'idle',
      stream: new LiveStream({
        open: this.options.open,
        schedule: this.options.schedule,
        onMessage: (message) => this.tell(message),
        onState: (state) => {
          entry.state = state;
          this.tellState();
        },
      }),
    };
    return entry;
  }

  private tell(message: LiveMessage): void {
    for (const [page, { topics }] of this.pages) {
      if (!('topic' in message) || hears(topics, message.topic)) page.post({ message });
    }
  }

  /** The worst state of the streams is what a page is told. */
  private tellState(): void {
    const states = this.streams.map((each) => each.state);
    const next = ORDER.find((state) => states.includes(state)) ?? 'idle';
    if (next === this.state) return;
    this.state = next;
    for (const page of this.pages.keys()) page.post({ state: next });
  }

  private now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

const ORDER: readonly LiveState[] = ['reconnecting', 'connecting', 'live'];
