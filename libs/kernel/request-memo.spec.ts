import type { Channel } from './actor.js';
import { withRequestFacts } from './request-context.js';
import { onceARequest, rememberForRequest } from './request-memo.js';

describe('what a request remembers', () => {
  const inRequest = <T>(work: () => Promise<T>, channel: Channel = 'mcp') =>
    withRequestFacts({ traceId: 't', ip: null, channel }, work);
  let asked = 0;
  const ask = () =>
    onceARequest('key', async () => {
      asked += 1;
      return asked;
    });

  beforeEach(() => {
    asked = 0;
  });

  it('is asked for once, also by two at the same moment, and not kept for the next request', async () => {
    expect(await inRequest(() => Promise.all([ask(), ask()]))).toEqual([1, 1]);
    expect(await inRequest(ask)).toBe(2);
  });

  it('is asked for each time outside of short requests to /mcp', async () => {
    expect([await ask(), await ask()]).toEqual([1, 2]);
    expect(await inRequest(async () => [await ask(), await ask()], 'web')).toEqual([3, 4]);
  });

  it('is asked for again in a request that lasts longer than a second', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const answers = await inRequest(async () => {
        const first = await ask();
        jest.setSystemTime(999);
        const second = await ask();
        jest.setSystemTime(1_001);
        return [first, second, await ask()];
      });
      expect(answers).toEqual([1, 1, 2]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('may come with another answer', async () => {
    const answer = await inRequest(async () => {
      rememberForRequest('key', 42);
      return ask();
    });
    expect([answer, asked]).toEqual([42, 0]);
  });
});
