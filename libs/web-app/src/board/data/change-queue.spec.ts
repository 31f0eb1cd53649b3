import { ChangeQueue } from './change-queue';

function setUp(refresh: (ids: readonly string[]) => Promise<void> = async () => undefined) {
  const asked: string[][] = [];
  const stale: string[] = [];
  const waits: number[] = [];
  let planned: (() => void) | null = null;
  const queue = new ChangeQueue({
    refresh: async (ids) => {
      asked.push([...ids]);
      await refresh(ids);
    },
    onStale: (ids) => stale.push(...ids),
    schedule: (run, ms) => {
      waits.push(ms);
      planned = run;
      return () => {
        planned = null;
      };
    },
  });
  const pass = async () => {
    const run = planned;
    planned = null;
    run?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, asked, stale, waits, pass };
}

describe('changes of others', () => {
  it('asks once for a burst', async () => {
    const { queue, asked, pass } = setUp();
    queue.heard('a', 5);
    queue.heard('b', 6);
    queue.heard('a', 7);
    await pass();
    expect(asked).toEqual([['a', 'b']]);
    expect(queue.heardRevision).toBe(7);
    expect(queue.isEmpty).toBe(true);
  });

  it('ignores the own echo, also when it comes before the answer', async () => {
    const { queue, asked, pass } = setUp();
    queue.beginWrite('a');
    queue.heard('a', 8);
    await pass();
    queue.endWrite('a', 8);
    queue.heard('a', 8);
    await pass();
    expect(asked).toEqual([]);
  });

  it('shows what another person did after the own write', async () => {
    const { queue, asked, pass } = setUp();
    queue.beginWrite('a');
    queue.heard('a', 9);
    queue.endWrite('a', 8);
    await pass();
    expect(asked).toEqual([['a']]);
  });

  it('reads the card anew when the own write failed', async () => {
    const { queue, asked, pass } = setUp();
    queue.beginWrite('a');
    queue.heard('a', 3);
    queue.endWrite('a', null);
    await pass();
    expect(asked).toEqual([['a']]);
  });

  it('waits while a card is dragged or a dialog is open', async () => {
    const { queue, asked, pass } = setUp();
    const drop = queue.hold();
    const close = queue.hold();
    queue.heard('a', 1);
    await pass();
    drop();
    drop();
    await pass();
    expect(asked).toEqual([]);
    close();
    await pass();
    expect(asked).toEqual([['a']]);
  });

  it('asks again for a card that changed while it was read', async () => {
    let again: () => void = () => undefined;
    const { queue, asked, pass } = setUp(async () => again());
    again = () => {
      again = () => undefined;
      queue.heard('a', 2);
    };
    queue.heard('a', 1);
    await pass();
    await pass();
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('says after three tries that a card may be out of date, and goes on trying', async () => {
    let away = true;
    const { queue, asked, stale, waits, pass } = setUp(async () => {
      if (away) throw new Error('away');
    });
    queue.heard('a', 1);
    for (let turn = 0; turn < 5; turn += 1) await pass();
    expect(asked).toHaveLength(5);
    expect(stale).toEqual(['a']);
    expect(waits).toEqual([...waits].sort((x, y) => x - y));
    away = false;
    queue.hurry();
    await pass();
    expect(queue.isEmpty).toBe(true);
  });

  it('reads again what an older answer for the whole board would set back', async () => {
    const { queue, asked, pass } = setUp();
    queue.heard('a', 5);
    queue.heard('b', 3);
    await pass();
    queue.beginWrite('c');
    queue.endWrite('c', 6);
    queue.loaded(4);
    await pass();
    expect(asked).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    queue.loaded(6);
    await pass();
    expect(asked).toHaveLength(2);
  });
});
