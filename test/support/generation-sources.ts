import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;

/** A server of the test suite that stands for one of the outside world. */
class Stub {
  readonly asked: {
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(answer: Answer): Promise<Stub> {
    const server = createServer(async (request, response) => {
      const body = (await buffer(request)).toString();
      stub.asked.push({ url: request.url!, headers: request.headers, body });
      await answer(request, response, body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stub = new Stub(server, (server.address() as { port: number }).port);
    return stub;
  }

  get pair(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.pair}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const PAGE = `<!doctype html><html><head><title>Honey shop</title><link rel="stylesheet" href="/site.css">
<script src="/app.js"></script></head><body onload="boot()"><h1>Honey from the heath</h1><img src="/bee.png" alt="A bee">
<p>Forty jars a week.</p></body></html>`;

/** A small web site, a Figma and a model endpoint, with one place that no request may reach. */
export class GenerationSources {
  /** Answers of the model that wait until they are let go, oldest first. */
  private readonly waiting: ((text: string | null) => void)[] = [];
  holdModel = false;

  private constructor(
    readonly site: Stub,
    readonly forbidden: Stub,
    readonly figma: Stub,
    readonly model: Stub,
  ) {}

  static async start(): Promise<GenerationSources> {
    const forbidden = await Stub.start((_, response) => void response.end('secret'));
    const site = await Stub.start((request, response) => {
      const files: Record<string, [string, string | Buffer]> = {
        '/': ['text/html; charset=utf-8', PAGE],
        '/site.css': ['text/css', 'h1 { color: #a05a00; background: url(bee.png) }'],
        '/bee.png': ['image/png', PNG],
        '/app.js': ['text/javascript', 'boot = () => {}'],
      };
      if (request.url!.startsWith('/inside')) {
        return void response.writeHead(302, { location: `http://127.0.0.1:${forbidden.port}/` }).end();
      }
      const file = files[request.url!];
      if (file) response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
      else response.writeHead(404).end();
    });
    const figma = await Stub.start((request, response) => {
      if (request.headers['x-figma-token'] !== FIGMA_TOKEN) return void response.writeHead(403).end('{}');
      response.setHeader('content-type', 'application/json');
      const document = {
        id: '1:2',
        name: 'Login screen',
        type: 'FRAME',
        absoluteBoundingBox: { x: 0, y: 0, width: 320, height: 200 },
        children: [
          {
            id: '1:3',
            name: 'Title',
            type: 'TEXT',
            characters: 'Sign in to the heath',
            absoluteBoundingBox: { x: 10, y: 10, width: 200, height: 30 },
          },
        ],
      };
      response.end(JSON.stringify({ name: 'File', nodes: { '1:2': { document } } }));
    });
    const self: { current?: GenerationSources } = {};
    const model = await Stub.start(async (_, response, body) => {
      const sources = self.current!;
      const prompt = (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!.content;
      const held = sources.holdModel
        ? await new Promise<string | null>((go) => sources.waiting.push(go))
        : null;
      const name = held ?? prompt.slice(0, 40);
      const content = JSON.stringify({ name, files: { 'index.html': `<!doctype html><h1>${name}</h1>` } });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
    });
    self.current = new GenerationSources(site, forbidden, figma, model);
    return self.current;
  }

  /** Variables of a server that uses these. */
  get env(): Record<string, string> {
    return {
      ARTIFACT_FETCH_ALLOW: this.site.pair,
      FIGMA_API_BASE: this.figma.url,
      ARTIFACT_MODEL_BASE_URL: this.model.url,
      ARTIFACT_MODEL_NAME: 'maker-1',
      ARTIFACT_MODEL_KEY: 'sk-of-the-instance',
    };
  }

  get held(): number {
    return this.waiting.length;
  }

  /** Lets every held answer of the model go, and holds no more. */
  release(): void {
    this.holdModel = false;
    for (const go of this.waiting.splice(0)) go(null);
  }

  stop(): void {
    this.release();
    for (const stub of [this.site, this.forbidden, this.figma, this.model]) stub.stop();
  }
}

export const FIGMA_TOKEN = 'figd_a-token-that-must-not-be-kept';
