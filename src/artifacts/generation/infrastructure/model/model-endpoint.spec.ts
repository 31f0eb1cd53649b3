import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelSettings } from '#libs/configuration/artifact-values.js';
import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { problemsOfSet } from '../../domain/generated-files.js';
import { type GivenGeneration, readGenerationRequest } from '../../domain/generation-request.js';
import { ConfiguredApi } from '../configured-api.js';
import { ModelChat } from './model-chat.js';
import { ModelEndpoint } from './model-endpoint.js';

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of two APIs
  readonly body: any;
}

const GOOD = JSON.stringify({ name: 'Bees', files: { 'index.html': '<h1>Bees</h1>' } });

describe('ModelEndpoint', () => {
  let server: Server;
  let base: string;
  let asked: Asked[];
  let answers: ((response: ServerResponse) => void)[];
  let elsewhere = 0;

  const openAi =
    (text: string, finish = 'stop') =>
    (response: ServerResponse) =>
      response.end(
        JSON.stringify({
          choices: [{ message: { role: 'assistant', content: text }, finish_reason: finish }],
        }),
      );
  const anthropic =
    (text: string, stop = 'end_turn') =>
    (response: ServerResponse) =>
      response.end(JSON.stringify({ content: [{ type: 'text', text }], stop_reason: stop }));

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      if (request.url === '/elsewhere') elsewhere += 1;
      asked.push({ url: request.url!, headers: request.headers, body: await json(request) });
      const answer = answers.shift();
      if (answer) answer(response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  });

  beforeEach(() => {
    asked = [];
    answers = [];
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function generate(
    settings: Partial<ModelSettings> = {},
    given: Partial<GivenGeneration> = {},
    limits: { answerMs?: number; signal?: AbortSignal } = {},
  ) {
    const all: ModelSettings = { api: 'openai', baseUrl: base, name: 'maker-1', key: 'sk-key', ...settings };
    const api = new ConfiguredApi({ baseUrl: all.baseUrl, proxy: null, maxBytes: 1_000_000 });
    const request = readGenerationRequest({ type: 'p2c', prompt: 'A page about bees', ...given });
    try {
      return await new ModelEndpoint(new ModelChat(api, all), limits.answerMs).generate(request, {
        projectId: 'p',
        signal: limits.signal ?? new AbortController().signal,
        figmaToken: null,
        progress: () => undefined,
        problemsOf: (files) =>
          problemsOfSet(
            request,
            files.map((file) => file.path),
          ),
      });
    } finally {
      await api.close();
    }
  }

  const reason = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error) => (error instanceof GenerationFailed ? error.message : `fault: ${error}`),
    );

  it('artifacts 15.29: asks an endpoint of the OpenAI form and takes its files', async () => {
    answers = [openAi(`Here it is:\n\`\`\`json\n${GOOD}\n\`\`\``)];
    const set = await generate({}, { guidelines: 'Only yellow' });
    expect(set).toEqual({
      name: 'Bees',
      files: [{ path: 'index.html', content: '<h1>Bees</h1>' }],
      notes: [],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      url: '/base/chat/completions',
      headers: { authorization: 'Bearer sk-key' },
      body: { model: 'maker-1', max_tokens: 32_000 },
    });
    const [system, user] = asked[0]!.body.messages;
    expect([system.role, user]).toEqual([
      'system',
      { role: 'user', content: 'A page about bees\n\nGuidelines:\nOnly yellow' },
    ]);
    expect(system.content).toContain('without any network');
  });

  it('asks an endpoint of the Anthropic form', async () => {
    answers = [anthropic(GOOD)];
    expect((await generate({ api: 'anthropic' })).name).toBe('Bees');
    expect(asked[0]).toMatchObject({
      url: '/base/v1/messages',
      headers: { 'x-api-key': 'sk-key', 'anthropic-version': '2023-06-01' },
      body: {
        model: 'maker-1',
        max_tokens: 32_000,
        messages: [{ role: 'user', content: 'A page about bees' }],
      },
    });
    expect(typeof asked[0]!.body.system).toBe('string');
  });

  it('sends no key where none is configured, and tells framework, styling and language', async () => {
    answers = [openAi(GOOD)];
    await generate({ key: null }, { framework: 'react', language: 'javascript', styling: 'inline_styles' });
    expect(asked[0]!.headers.authorization).toBeUndefined();
    const [system] = asked[0]!.body.messages;
    expect(system.content).toContain('React app in javascript');
    expect(system.content).toContain('style attributes only');
  });

  it('names the output limit as the model knows it', async () => {
    const newer = (response: ServerResponse) =>
      'max_tokens' in asked.at(-1)!.body ? response.writeHead(400).end('{}') : openAi(GOOD)(response);
    answers = [newer, newer];
    expect((await generate()).name).toBe('Bees');
    expect(asked.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [32_000, undefined],
      [undefined, 32_000],
    ]);
    const refused = (response: ServerResponse) => response.writeHead(400).end('{}');
    answers = [refused, refused];
    expect(await reason(generate())).toBe('The model endpoint answered with status 400.');
  });

  it('gives the problems of a set back, and takes the mended one', async () => {
    answers = [
      openAi('I will not.'),
      openAi(
        JSON.stringify({
          files: { '../x.html': '', 'page.html': '<script src="https://cdn.example/x.js"></script>' },
        }),
      ),
      openAi(JSON.stringify({ files: [{ path: './index.html', content: '<p>' }] })),
    ];
    expect(await generate()).toMatchObject({
      name: 'A page about bees',
      files: [{ path: 'index.html', content: '<p>' }],
    });
    expect(asked[1]!.body.messages.slice(2)).toEqual([
      { role: 'assistant', content: 'I will not.' },
      { role: 'user', content: expect.stringContaining('The answer is not one JSON object.') },
    ]);
    const second = asked[2]!.body.messages.at(-1).content;
    expect(second).toContain('"../x.html" is no plain relative path.');
    expect(second).toContain('There is no index.html.');
    expect(second).toContain('page.html loads https://cdn.example/x.js; it must work without network.');
  });

  it('gives up after two corrections', async () => {
    answers = [openAi('{}'), openAi('{"files":{}}'), openAi('{"files":{"a.html":1}}'), openAi(GOOD)];
    expect(await reason(generate())).toBe(
      'The model did not make files that can be stored: files must map each path to the text of its file.',
    );
    expect(asked).toHaveLength(3);
  });

  it('a Markdown document needs a .md file', async () => {
    answers = [openAi(JSON.stringify({ name: 'Doc', files: { 'README.md': '# Bees' } }))];
    expect((await generate({}, { artifactType: 'markdown' })).files[0]!.path).toBe('README.md');
  });

  it('tells what went wrong without what the endpoint said', async () => {
    const status =
      (code: number, headers = {}) =>
      (response: ServerResponse) =>
        response.writeHead(code, headers).end('{"error":{"message":"secret of the endpoint"}}');
    const cases: [(response: ServerResponse) => void, string][] = [
      [status(401), 'The model endpoint refused the key of this server.'],
      [status(429), 'The model endpoint is busy. Try again later.'],
      [status(500), 'The model endpoint answered with status 500.'],
      [status(302, { location: '/elsewhere' }), 'The model endpoint answered with status 302.'],
      [(response) => response.end('no json'), 'The model endpoint answered with nothing.'],
      [openAi(''), 'The model endpoint answered with nothing.'],
      [openAi('{', 'length'), 'The answer of the model is longer than 32000 tokens. Ask for less at once.'],
      [(response) => response.end('x'.repeat(1_000_001)), 'The model endpoint could not be reached.'],
      [(response) => response.destroy(), 'The model endpoint could not be reached.'],
    ];
    for (const [answer, expected] of cases) {
      answers = [answer];
      expect(await reason(generate())).toBe(expected);
    }
    expect(elsewhere).toBe(0);
    answers = [anthropic('{', 'max_tokens')];
    expect(await reason(generate({ api: 'anthropic' }))).toContain('longer than');
  });

  it('stops in time, and when the job is no longer wanted', async () => {
    expect(await reason(generate({}, {}, { answerMs: 200 }))).toBe(
      'The model did not answer within 0 seconds.',
    );
    const cancelled = new AbortController();
    const running = generate({}, {}, { signal: cancelled.signal });
    cancelled.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });

  it('is not available without an endpoint', async () => {
    const request = readGenerationRequest({ type: 'p2c', prompt: 'x' });
    expect(await new ModelEndpoint(null).supports(request)).toEqual({
      yes: false,
      why: 'no model endpoint is configured',
    });
  });
});
