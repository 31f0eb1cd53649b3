import { eachAtMost } from './each-at-most.js';

describe('eachAtMost', () => {
  it('runs so many at once and no more, and all of them', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await eachAtMost(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      done.push(item);
    });
    expect([most, done.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
  });

  it('begins nothing after a failure, and ends with it when what had begun has ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = eachAtMost(2, [1, 2, 3, 4], async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await new Promise(setImmediate);
      ended.push(item);
    });
    await expect(work).rejects.toThrow('one');
    expect([begun, ended]).toEqual([[1, 2], [2]]);
  });

  it('does nothing for nothing', async () => {
    await eachAtMost(4, [], () => Promise.reject(new Error('never')));
  });
});
