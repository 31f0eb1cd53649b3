import { Turns } from './turns.js';

describe('turns', () => {
  const later = () => new Promise((done) => setTimeout(done, 5));

  test('come one after the other for one key, also after a failure, and side by side for two', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        seen.push(`${name} begins`);
        await later();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      turns.take('a', work('first', true)),
      turns.take('a', work('second')),
      turns.take('b', work('other')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen.slice(0, 2).sort()).toEqual(['first begins', 'other begins']);
    expect(seen.indexOf('second begins')).toBeGreaterThan(seen.indexOf('first ends'));
    expect(turns.busy).toBe(0);
  });

  test('are kept by whoever asks again inside their own', async () => {
    const turns = new Turns();
    expect(await turns.take('a', () => turns.take('a', async () => 'inner'))).toBe('inner');
  });
});
