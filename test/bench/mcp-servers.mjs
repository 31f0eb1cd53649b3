// One server of the MCP bench, in a process of its own: node test/bench/mcp-servers.mjs loupe|mcp-nest|sdk
// Prints {"url", "headers", "call"} when it is ready, and ends when its input ends.
import 'reflect-metadata';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { startBenchServer } from './bench-server.mjs';

const TOOLS = 100;
const CONSTANT = {
  id: '01890000-0000-7000-8000-000000000000',
  slug: 'acme',
  name: 'Acme',
  description: null,
};

const servers = { loupe, 'mcp-nest': mcpNest, sdk };
const started = await servers[process.argv[2]]();
process.stdout.write(`${JSON.stringify(started.facts)}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await started.stop();
process.exit(0);

/** The tools of the product over and over, so that all servers list the same ones. */
function manyTools(tools) {
  return Array.from({ length: TOOLS }, (_, index) => {
    const tool = tools[index % tools.length];
    return { ...tool, name: index < tools.length ? tool.name : `${tool.name}_${index}` };
  });
}

/** Declarations without anything behind them, for the servers that answer with a constant. */
async function declarations() {
  const { ProjectTools } = await import('#src/shell/mcp/projects.tools.js');
  const { DocumentTools } = await import('#src/shell/mcp/documents.tools.js');
  return manyTools([...new ProjectTools().tools, ...new DocumentTools().tools]);
}

async function listen(app, server = createServer(app)) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}/mcp` };
}

/** The door, guards, registry and use cases of the product on its real database. */
async function loupe() {
  const { Flags } = await import('#libs/kernel/ports/flags.js');
  const { ProjectAccess } = await import('#libs/kernel/ports/project-access.js');
  const { RateLimiter } = await import('#libs/kernel/ports/rate-limiter.js');
  const { RequestResults } = await import('#libs/kernel/ports/request-results.js');
  const { createLogger } = await import('#libs/observability/json-logger.js');
  const { Metrics } = await import('#libs/observability/metrics.js');
  const { requestLog } = await import('#libs/observability/request-log.js');
  const { AccessTokens } = await import('#src/identity/application/ports/access-tokens.js');
  const { NoteClientInfo } = await import('#src/identity/application/commands/note-client-info.js');
  const { ResolveRequestProject } = await import(
    '#src/identity/application/queries/resolve-request-project.js'
  );
  const { SetFlag } = await import('#src/platform/application/commands/set-flag.js');
  const { CreateProject } = await import('#src/projects/application/commands/create-project.js');
  const { DocumentTools } = await import('#src/shell/mcp/documents.tools.js');
  const { McpDoor } = await import('#src/shell/mcp/mcp-door.js');
  const { McpExchange } = await import('#src/shell/mcp/mcp-exchange.js');
  const { ProjectTools } = await import('#src/shell/mcp/projects.tools.js');
  const { ToolRegistry } = await import('#src/shell/mcp/tool-registry.js');
  const { ToolRunner } = await import('#src/shell/mcp/tool-runner.js');
  const { httpAdapter } = await import('#src/http.js');

  const product = await startBenchServer({ role: 'worker' });
  const { get, database, configuration } = product;
  const actor = await product.person('Bench');
  const { personId } = actor;
  const project = await get(CreateProject).execute(actor, { name: 'Acme' });
  const connectionId = crypto.randomUUID();
  const token = randomBytes(32).toString('base64url');
  const audience = 'http://localhost:3000/mcp';
  await database.query(
    `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
     VALUES ($1, $2, 'https://agent.example/client.json', 'Bench', '{mcp}', $3, $4, now(), now() + interval '1 day')`,
    [connectionId, personId, project.id, audience],
  );
  await database.query(
    `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
     VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
    [
      createHash('sha256').update(token).digest('hex'),
      connectionId,
      JSON.stringify({ aud: audience, scope: 'mcp' }),
    ],
  );

  const flags = get(Flags);
  const metrics = get(Metrics);
  const tools = manyTools([...get(ProjectTools).tools, ...get(DocumentTools).tools]);
  const admin = { ...actor, isAdmin: true };
  for (const name of new Set(tools.flatMap((tool) => tool.flags))) {
    await get(SetFlag).execute(admin, { name, value: true });
  }
  const identity = { name: 'loupe', title: 'Loupe', version: '0.0.0' };
  const registry = new ToolRegistry(
    [{ tools }],
    flags,
    identity,
    tools.map((tool) => tool.name),
  );
  const runner = new ToolRunner(registry, flags, get(ProjectAccess), get(RequestResults), metrics);
  const exchange = new McpExchange(registry, runner, identity);
  const tokens = get(AccessTokens);
  const projects = get(ResolveRequestProject);
  const note = get(NoteClientInfo);
  const clients = {
    actorOf: tokens.actorOf.bind(tokens),
    projectOf: projects.execute.bind(projects),
    noteClient: note.execute.bind(note),
  };
  const adapter = httpAdapter();
  adapter.initHttpServer({});
  const app = adapter.getInstance();
  app.set('trust proxy', ['loopback']);
  app.use(requestLog(createLogger('silent'), metrics));
  app.use(new McpDoor(configuration, flags, get(RateLimiter), clients, exchange, metrics).handle);
  const { server, url } = await listen(app, adapter.getHttpServer());
  return {
    facts: {
      url,
      headers: { host: 'localhost:3000', authorization: `Bearer ${token}` },
      call: 'project_current',
    },
    stop: async () => {
      server.closeAllConnections();
      await exchange.close();
      await product.stop();
    },
  };
}

/** Stock mcp-nest as its documentation shows it: no guard, and a tool that returns a constant. */
async function mcpNest() {
  const { Module } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  const { McpController, McpStrategy, StreamableHttpTransport, Tool } = await import('@rekog/mcp-nest');
  class Tools {}
  for (const { name, description, input } of await declarations()) {
    Tools.prototype[name] = async () => ({
      content: [{ type: 'text', text: JSON.stringify(CONSTANT) }],
      structuredContent: CONSTANT,
    });
    const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name);
    Tool({ name, description, parameters: input })(Tools.prototype, name, descriptor);
  }
  McpController()(Tools);
  class App {}
  Module({ controllers: [Tools] })(App);
  const strategy = new McpStrategy({
    name: 'stock',
    version: '1.0.0',
    transports: [new StreamableHttpTransport()],
  });
  const app = await NestFactory.create(App, { logger: false });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  return {
    facts: { url: `http://127.0.0.1:${port}/mcp`, headers: {}, call: 'project_current' },
    stop: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
    },
  };
}

/** The low-level server of the SDK, stateless, with schemas that are made once. */
async function sdk() {
  const { Server } = await import('@modelcontextprotocol/server');
  const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node');
  const { listedTools } = await import('#src/shell/mcp/tool-registry.js');
  const options = { aliases: false, reasoning: 'off' };
  const tools = (await declarations()).flatMap((tool) => listedTools(tool, options));
  const app = express();
  app.post('/mcp', express.json({ limit: '4mb' }), async (request, response) => {
    const server = new Server({ name: 'sdk', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', () => ({
      content: [{ type: 'text', text: JSON.stringify(CONSTANT) }],
      structuredContent: CONSTANT,
    }));
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    response.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  const { server, url } = await listen(app);
  return {
    facts: { url, headers: {}, call: 'project_current' },
    stop: async () => server.closeAllConnections(),
  };
}
