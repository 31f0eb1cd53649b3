import { hears, type LiveMessage, type LiveState, LiveStream } from './live-stream';
import { FakeSource } from './testing/fake-source';

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
});

test('who watches "me" hears of the topic of the person, and of no other', () => {
  expect(hears(['me'], 'me:0190')).toBe(true);
  expect(hears(['project:1'], 'project:1')).toBe(true);
  expect(hears(['project:1'], 'project:1:documents')).toBe(false);
});
