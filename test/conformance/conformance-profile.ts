import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import express from 'express';
import { z } from 'zod';
import { Configuration } from '#libs/configuration/configuration.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import { McpDoor } from '#src/shell/mcp/mcp-door.js';
import { McpExchange } from '#src/shell/mcp/mcp-exchange.js';
import { ToolSource, tool } from '#src/shell/mcp/tool-definition.js';
import { type PreparedList, ToolRegistry } from '#src/shell/mcp/tool-registry.js';
import { ToolRunner } from '#src/shell/mcp/tool-runner.js';
import { FIXTURES, serveFixtures } from './fixture-tools.js';

const PROJECT = '00000000-0000-7000-8000-000000000001';
const PERSON = '00000000-0000-7000-8000-000000000002';
const IDENTITY = { name: 'loupe-conformance', title: 'Loupe, conformance profile', version: '0.0.0' };

/** A schema that no tool of the product needs, to see that the listing keeps every keyword. */
const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

class FixtureTools extends ToolSource {
  override readonly tools = Object.keys(FIXTURES).map((name) =>
    tool({
      name,
      title: name,
      description: 'Fixture of the conformance suite.',
      level: 'read',
      flags: [],
      input: z.strictObject({}),
      handle: async () => ({}),
    }),
  );
}

/** The registry of the product, with one schema put in by hand. */
class FixtureRegistry extends ToolRegistry {
  override list(): PreparedList {
    const { tools, ...list } = super.list();
    const rich = tools.map((entry) =>
      entry.name === 'json_schema_2020_12_tool' ? { ...entry, inputSchema: RICH_SCHEMA } : entry,
    );
    const withTools = (json: Buffer) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(json.toString()), tools: rich }));
    return {
      tools: rich,
      legacyResult: withTools(list.legacyResult),
      modernResult: withTools(list.modernResult),
    };
  }
}

const ACTOR: ConnectionActor = {
  kind: 'connection',
  connectionId: '00000000-0000-7000-8000-000000000003',
  personId: PERSON,
  clientId: 'conformance',
  scopes: ['mcp'],
  boundProjectId: PROJECT,
  projectId: PROJECT,
  agentSessionId: null,
  channel: 'mcp',
};

class AllFlagsOn extends Flags {
  override isOn(): boolean {
    return true;
  }
  override int(): number {
    return 100_000;
  }
  override text(): string {
    return '';
  }
  override list(): readonly string[] {
    return [];
  }
  override refusal(): string {
    return '';
  }
  override async refresh(): Promise<void> {}

  override onChange(): () => void {
    return () => undefined;
  }
}

class NoLimit extends RateLimiter {
  override async hit() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
  override async peek() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
}

class NothingKept extends RequestResults {
  override async once<T>(_: unknown, work: () => Promise<T>) {
    return { result: await work(), repeated: false };
  }
}

/**
 * The door and the exchange of the product with the fixture tools of the conformance suite. The suite signs in nowhere,
 * so every request is given a token on its way in.
 */
export class ConformanceProfile {
  private constructor(
    readonly url: string,
    private readonly server: HttpServer,
    private readonly exchange: McpExchange,
  ) {}

  static async start(): Promise<ConformanceProfile> {
    const flags = new AllFlagsOn();
    const source = new FixtureTools();
    const metrics = new Metrics();
    const registry = new FixtureRegistry(
      [source],
      flags,
      IDENTITY,
      source.tools.map(({ name }) => name),
    );
    const access = new FakeProjectAccess().add(PROJECT, PERSON);
    const runner = new ToolRunner(registry, flags, access, new NothingKept(), metrics);
    const exchange: McpExchange = new McpExchange(registry, runner, IDENTITY, (server) =>
      serveFixtures(server, () => exchange.toolsChanged()),
    );
    const clients = {
      actorOf: async () => ACTOR,
      projectOf: async () => ({ projectId: PROJECT, refusal: null }),
      noteClient: async () => undefined,
    };
    const configuration = Configuration.fromEnvironment({ APP_ENV: 'test', PORT: '3000' });
    const door = new McpDoor(configuration, flags, new NoLimit(), clients, exchange, metrics);
    const app = express();
    app.use((request, _response, next) => {
      request.headers.authorization = 'Bearer conformance';
      next();
    });
    app.use(door.handle);
    const server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    return new ConformanceProfile(`http://localhost:${port}/mcp`, server, exchange);
  }

  async stop(): Promise<void> {
    await this.exchange.close();
    this.server.close();
    this.server.closeAllConnections();
  }
}
