import { ListeningClients } from './listening-clients.js';

class Heard {
  ended = false;
  right: boolean | Error = true;
  asked = 0;

  readonly holds = async (): Promise<boolean> => {
    this.asked += 1;
    if (this.right instanceof Error) throw this.right;
    return this.right;
  };
  readonly end = () => {
    this.ended = true;
  };
}

/** Calls subscribers as the signals between processes do. */
class Told {
  private readonly handlers: (() => void)[] = [];

  subscribe(channel: string, handler: () => void): () => void {
    expect(channel).toBe('access');
    this.handlers.push(handler);
    return () => undefined;
  }
  onResync(handler: () => void): () => void {
    this.handlers.push(handler);
    return () => undefined;
  }
  tell(at: number): void {
    this.handlers[at]!();
  }
}

describe('clients that listen', () => {
  const settled = () => new Promise((done) => setImmediate(done));

  it('lose their stream with their right, and nobody else does', async () => {
    const clients = new ListeningClients();
    const [leaving, staying] = [new Heard(), new Heard()];
    clients.follow(leaving);
    clients.follow(staying);
    leaving.right = false;
    await clients.recheck();
    expect([leaving.ended, staying.ended]).toEqual([true, false]);
    await clients.recheck();
    expect(leaving.asked).toBe(1);
  });

  it('are asked at a signal and after a lost connection, also when nobody listened before', async () => {
    const clients = new ListeningClients();
    const told = new Told();
    clients.start(told as never);
    told.tell(0);
    await settled();
    for (const at of [0, 1]) {
      const leaving = new Heard();
      clients.follow(leaving);
      leaving.right = false;
      told.tell(at);
      await settled();
      expect(leaving.ended).toBe(true);
    }
    clients.stop();
  });

  it('keep it while nobody can tell, and are not asked when they have gone themselves', async () => {
    const clients = new ListeningClients();
    const [waiting, gone] = [new Heard(), new Heard()];
    clients.follow(waiting);
    clients.follow(gone)();
    waiting.right = new Error('the database is away');
    await clients.recheck();
    expect([waiting.ended, gone.asked]).toEqual([false, 0]);
    waiting.right = false;
    await clients.recheck();
    expect(waiting.ended).toBe(true);
  });

  it('a right that ends while another one is asked about is noticed by one more pass', async () => {
    const clients = new ListeningClients();
    const first = new Heard();
    let answer: (holds: boolean) => void = () => undefined;
    clients.follow(first);
    clients.follow({ holds: () => new Promise((done) => (answer = done)), end: () => undefined });
    const pass = clients.recheck();
    await settled();
    first.right = false;
    void clients.recheck();
    answer(true);
    await settled();
    expect(first.ended).toBe(true);
    answer(true);
    await pass;
  });
});
