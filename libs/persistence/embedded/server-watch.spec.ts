import { ServerWatch } from './server-watch.js';

describe('the watch of the embedded server', () => {
  let serving: boolean;
  let starts: number[];
  let refusal: string | null;
  let said: string[];
  let watch: ServerWatch;
  let begun: number;

  beforeEach(() => {
    jest.useFakeTimers();
    begun = Date.now();
    serving = true;
    starts = [];
    refusal = null;
    said = [];
    watch = new ServerWatch({
      isServing: async () => serving,
      revive: async () => {
        starts.push(Math.round((Date.now() - begun) / 1_000));
        if (refusal) throw new Error(refusal);
        serving = true;
      },
      log: (line) => said.push(line),
    });
  });

  afterEach(async () => {
    await watch.end();
    jest.useRealTimers();
  });

  it('leaves a server alone that is there', async () => {
    await jest.advanceTimersByTimeAsync(10_000);
    expect(starts).toEqual([]);
    expect(said).toEqual([]);
  });

  it('tries a server that does not start at growing waits, for ever, and says why', async () => {
    serving = false;
    refusal = 'Another program listens on its port.';
    await jest.advanceTimersByTimeAsync(125_000);
    expect(starts).toEqual([1, 2, 4, 8, 16, 32, 62, 92, 122]);
    expect(said).toContain('Another program listens on its port. It is tried again.');
    refusal = null;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(serving).toBe(true);
    expect(said.at(-1)).toBe('The embedded PostgreSQL runs again.');
  });

  it('waits longer for one that falls again at once, and begins anew after a minute of peace', async () => {
    serving = false;
    await jest.advanceTimersByTimeAsync(1_000);
    serving = false;
    await jest.advanceTimersByTimeAsync(2_000);
    serving = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(starts).toEqual([1, 2, 4]);
    await jest.advanceTimersByTimeAsync(65_000);
    serving = false;
    await jest.advanceTimersByTimeAsync(1_000);
    serving = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(starts).toEqual([1, 2, 4, 71, 72]);
  });

  it('looks no more once it has ended', async () => {
    await watch.end();
    serving = false;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(starts).toEqual([]);
  });
});
