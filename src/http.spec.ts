import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { httpAdapter } from './http.js';

describe('the server under the framework', () => {
  it('makes requests and responses with the prototypes of Express, so that none is changed later', async () => {
    const adapter = httpAdapter();
    adapter.initHttpServer({});
    const application = adapter.getInstance<Express>();
    const server: Server = adapter.getHttpServer();
    const made: object[] = [];
    // Before Express sees them.
    server.prependListener('request', (incoming: IncomingMessage, response: ServerResponse) => {
      made.push(Object.getPrototypeOf(incoming), Object.getPrototypeOf(response));
    });
    application.post('/echo', (incoming, response) => {
      incoming.pipe(response.status(201));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ port, host: '127.0.0.1', path: '/echo', method: 'POST' });
      outgoing.end('said');
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      expect([answer.statusCode, Buffer.concat(chunks).toString()]).toEqual([201, 'said']);
      expect(made[0]).toBe(application.request);
      expect(made[1]).toBe(application.response);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
