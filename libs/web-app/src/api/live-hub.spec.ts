import { type FromHub, LiveHub, type Page, SILENT_AFTER_MS } from './live-hub';
import { FakeSource } from './testing/fake-source';

class FakePage implements Page {
  readonly heard: FromHub[] = [];

  post(message: FromHub): void {
    this.heard.push(message);
  }

  get topics(): string[] {
    return this.heard.flatMap((each) =>
      'message' in each && 'topic' in each.message ? [each.message.topic] : [],
    );
  }
}

function setUp() {
  const sources: FakeSource[] = [];
  let now = 0;
  const hub = new LiveHub({
    now: () => now,
    open(url) {
      const source = new FakeSource(url);
      sources.push(source);
      return source;
    },
  });
  const open = () => sources.filter((source) => !source.closed);
  return {
    hub,
    sources,
    open,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const event = (topic: string) => ({ topic, type: 'x', subjectId: 's', version: null, at: 'now' });

describe('the stream that the pages of a browser share', () => {
  test('two pages have one stream, and each hears only what it watches', () => {
    const { hub, sources, open } = setUp();
    const [one, two] = [new FakePage(), new FakePage()];
    hub.hear(one, { topics: ['project:1', 'me'] });
    sources.at(-1)?.opens();
    hub.hear(two, { topics: ['project:2', 'me'] });
    sources.at(-1)?.opens();
    expect(open()).toHaveLength(1);
    open()[0]?.sends('update', event('project:2'));
    open()[0]?.sends('update', event('me:0190'));
    expect(one.topics).toEqual(['me:0190']);
    expect(two.topics).toEqual(['project:2', 'me:0190']);
  });

  test('a page that leaves takes its topics with it; the last one ends the stream', () => {
    const { hub, sources, open } = setUp();
    const [one, two] = [new FakePage(), new FakePage()];
    hub.hear(one, { topics: ['project:1'] });
    hub.hear(two, { topics: ['project:2'] });
    hub.hear(two, { bye: true });
    sources.at(-1)?.opens();
    expect(open().map((source) => source.url)).toEqual(['/api/live?topics=project%3A1']);
    hub.hear(one, { bye: true });
    expect(open()).toEqual([]);
  });

  test('a page that went without a word is forgotten, one that repeats its wish is not', () => {
    const { hub, open, pass } = setUp();
    const [here, gone] = [new FakePage(), new FakePage()];
    hub.hear(here, { topics: ['project:1'] });
    hub.hear(gone, { topics: ['project:2'] });
    pass(SILENT_AFTER_MS - 1);
    hub.hear(here, { topics: ['project:1'] });
    pass(2);
    hub.sweep();
    expect(open().map((source) => source.url)).toEqual(['/api/live?topics=project%3A1']);
  });

  test('more topics than one stream takes open another, and none is lost', () => {
    const { hub, open } = setUp();
    const topics = Array.from({ length: 45 }, (_, n) => `project:${n}`);
    hub.hear(new FakePage(), { topics });
    const asked = open().flatMap((source) =>
      decodeURIComponent(source.url.split('topics=')[1] ?? '').split(','),
    );
    expect(open()).toHaveLength(3);
    expect(asked.sort()).toEqual(topics.sort());
  });

  test('a page that joins is told the state, and later changes of it', () => {
    const { hub, sources } = setUp();
    const [one, two] = [new FakePage(), new FakePage()];
    hub.hear(one, { topics: ['me'] });
    sources[0]?.opens();
    hub.hear(two, { topics: ['me'] });
    sources[0]?.fails(0);
    expect(two.heard).toEqual([{ state: 'live' }, { state: 'reconnecting' }]);
  });

  test('after an outage all pages are asked to fetch again', () => {
    const { hub, sources } = setUp();
    const [one, two] = [new FakePage(), new FakePage()];
    hub.hear(one, { topics: ['me'] });
    hub.hear(two, { topics: ['me'] });
    sources[0]?.opens();
    sources[0]?.fails(0);
    sources[0]?.opens();
    for (const page of [one, two]) expect(page.heard).toContainEqual({ message: { type: 'resync' } });
  });
});
