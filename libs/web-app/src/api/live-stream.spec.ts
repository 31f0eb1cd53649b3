import { type LiveMessage, type LiveState, LiveStream, type Source } from './live-stream';

class FakeSource implements Source {
  readyState = 0;
  closed = false;
  onopen: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  private readonly listeners = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(readonly url: string) {}

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }

  close(): void {
    this.closed = true;
    this.readyState = 2;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.(new Event('open'));
  }

  fails(readyState: 0 | 2): void {
    this.readyState = readyState;
    this.onerror?.(new Event('error'));
  }

  sends(type: string, data: unknown): void {
    this.listeners.get(type)?.({ data: JSON.stringify(data) } as MessageEvent<string>);
  }
}

function setUp() {
  const sources: FakeSource[] = [];
  const messages: LiveMessage[] = [];
  const states: LiveState[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const stream = new LiveStream({
    open(url) {
      const source = new FakeSource(url);
      sources.push(source);
      return source;
    },
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
    schedule(run, ms) {
      const timer = { run, ms };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  });
  return { stream, sources, messages, states, timers };
}

const update = {
  topic: 'project:1',
  type: 'renamed',
  subjectId: '1',
  version: 2,
  at: '2026-11-30T10:00:00Z',
};

describe('the event stream of a page', () => {
  test('topics are sorted and named once, so that the same wish opens no second stream', () => {
    const { stream, sources } = setUp();
    stream.want(['b', 'a', 'b']);
    stream.want(['a', 'b']);
    expect(sources.map((source) => source.url)).toEqual(['/api/live?topics=a%2Cb']);
  });

  test('the old stream lives on until the new one is open, so no event falls between them', () => {
    const { stream, sources, messages } = setUp();
    stream.want(['project:1']);
    sources[0]?.opens();
    stream.want(['project:1', 'me']);
    sources[0]?.sends('update', update);
    expect(messages).toEqual([update]);
    expect(sources[0]?.closed).toBe(false);
    sources[1]?.opens();
    expect(sources[0]?.closed).toBe(true);
  });

  test('after an outage that the browser mended itself, everything is asked for again', () => {
    const { stream, sources, messages, states } = setUp();
    stream.want(['me']);
    sources[0]?.opens();
    sources[0]?.fails(0);
    expect(states.at(-1)).toBe('reconnecting');
    sources[0]?.opens();
    expect(states.at(-1)).toBe('live');
    expect(messages).toEqual([{ type: 'resync' }]);
  });

  test('a refused stream is tried again, each time later', () => {
    const { stream, sources, timers } = setUp();
    stream.want(['me']);
    sources[0]?.fails(2);
    timers[0]?.run();
    sources[1]?.fails(2);
    expect(timers.map((timer) => timer.ms)).toEqual([2_000, 5_000]);
  });

  test('a page that watches nothing has no stream', () => {
    const { stream, sources, states } = setUp();
    stream.want(['me']);
    sources[0]?.opens();
    stream.want([]);
    expect(sources[0]?.closed).toBe(true);
    expect(states.at(-1)).toBe('idle');
  });

  test('data that is no event is ignored; a resync of the server is passed on', () => {
    const { stream, sources, messages } = setUp();
    stream.want(['me']);
    sources[0]?.opens();
    sources[0]?.sends('update', { nonsense: true });
    sources[0]?.sends('resync', {});
    expect(messages).toEqual([{ type: 'resync' }]);
  });

  test('after live updates were switched off and on again, the same topics open a stream', () => {
    const { stream, sources } = setUp();
    stream.want(['me']);
    stream.end('off');
    stream.want(['me']);
    expect(sources).toHaveLength(2);
  });
});
