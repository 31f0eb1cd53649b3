import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../test/support/until.js';
import { RunningRequests } from './running-requests.js';

describe('RunningRequests', () => {
  let server: Server;
  let requests: RunningRequests;
  let agent: Agent;
  const waiting: ServerResponse[] = [];

  beforeEach(async () => {
    server = createServer((incoming, response) => {
      if (incoming.url === '/wait') waiting.push(response);
      else response.end('now');
    });
    requests = new RunningRequests(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    waiting.length = 0;
  });

  const get = async (path: string): Promise<IncomingMessage> => {
    const outgoing = request({ port: (server.address() as AddressInfo).port, path, agent });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer;
  };

  it('waits for what runs, and sends its client to a new connection', async () => {
    const running = get('/wait');
    await until(() => waiting.length === 1);
    requests.sendElsewhere();
    let over = false;
    const ended = requests.ended(60_000).then(() => (over = true));
    await new Promise((done) => setImmediate(done));
    expect(over).toBe(false);
    waiting[0]!.end('done');
    expect((await running).headers.connection).toBe('close');
    await ended;
  });

  it('closes the connection after each answer while it stops, also where the application answers at once', async () => {
    expect((await get('/now')).headers.connection).toBe('keep-alive');
    requests.sendElsewhere();
    expect((await get('/now')).headers.connection).toBe('close');
  });

  it('waits no longer than the limit', async () => {
    get('/wait').catch(() => undefined);
    await until(() => waiting.length === 1);
    await requests.ended(20);
  });
});
