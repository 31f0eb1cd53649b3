import { isJsonContentType } from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import type { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse, NextFunction } from '#libs/http/exchange.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import type { Flags } from '#libs/kernel/ports/flags.js';
import { type RateLimiter, REQUESTS_PER_ADDRESS } from '#libs/kernel/ports/rate-limiter.js';
import type { Metrics } from '#libs/observability/metrics.js';
import { ListeningClients } from './listening-clients.js';
import { BODY_LIMIT, type ReadBody, readJsonBody } from './mcp-body.js';
import { type Answer, type ClientInfo, clientInfoOf, listens, type McpExchange } from './mcp-exchange.js';

const AGENT_SESSION_ID = /^[A-Za-z0-9_.:-]{1,100}$/;
const SIGN_IN = 'Sign in with OAuth. The WWW-Authenticate header names the metadata document.';
const BAD_TOKEN = 'The access token is expired or was revoked';
/** Bodies of such a size, in bytes, are read while it is still asked who sends them. */
const EARLY_BYTES = 16_384;
const WRONG_SCOPE = 'This sign-in does not carry the mcp scope. Connect the client again.';

interface Presented {
  readonly token: string;
  readonly path: string;
  readonly ip: string | null;
  readonly projectId: string | null;
  readonly agentSessionId: string | null;
  /** Called at once where the token was good when it was used last. */
  readonly meanwhile?: () => void;
}

/** What the door asks of identity. */
export interface SignedInClients {
  /** @throws DomainError `rate-limited` after too many bad tokens of one address. */
  actorOf(presented: Presented): Promise<ConnectionActor | null>;
  /** @throws DomainError `invalid_project` or `project_not_covered`. */
  projectOf(
    actor: ConnectionActor,
    header: string | null,
  ): Promise<{ readonly projectId: string | null; readonly refusal: string | null }>;
  noteClient(actor: ConnectionActor, info: ClientInfo): Promise<void>;
}

/** Ends the request with an answer that is no refusal of a tool. */
class Refused {
  constructor(
    readonly status: number,
    readonly body: object | string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** The door of `/mcp`: its checks in the order of `identity.md` 6.1, with the exact answers of 6.2. */
export class McpDoor {
  private readonly logger = new Logger('mcp');
  private readonly challenge: string;

  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly limiter: RateLimiter,
    private readonly clients: SignedInClients,
    private readonly exchange: McpExchange,
    private readonly metrics: Metrics,
    private readonly listening = new ListeningClients(),
  ) {
    const metadata = configuration.url('/.well-known/oauth-protected-resource/mcp');
    this.challenge = `resource_metadata="${metadata}", scope="mcp"`;
  }

  /** Express middleware: takes every request to `/mcp`, whatever its method, and lets others pass. */
  readonly handle = (request: HttpRequest, response: HttpResponse, next: NextFunction): void => {
    if (request.path !== '/mcp' && request.path !== '/mcp/') {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    this.serve(request, response).catch((error: unknown) => this.fail(error, request, response));
  };

  private async serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    this.checkHost(request);
    this.checkOrigin(request);
    await this.checkRate(request);
    let reading: Promise<ReadBody> | undefined;
    const read = () => {
      reading ??= readJsonBody(request);
      return reading;
    };
    const actor = await this.signedIn(request, () => this.readAhead(request, read));
    request.loupe = { connection: actor };
    if (!actor.scopes.includes('mcp')) throw this.wrongScope();
    if (request.method !== 'POST') {
      throw new Refused(
        405,
        { error: 'method_not_allowed', message: '/mcp takes POST only. It keeps no session.' },
        { Allow: 'POST' },
      );
    }
    const { projectId, refusal } = await this.clients.projectOf(actor, header(request, 'loupe-project-id'));
    checkMediaTypes(request);
    const body = await read();
    if (body.kind === 'too-large') throw tooLarge();
    if (body.kind === 'no-json') throw rpcError(400, -32700, `Parse error: ${body.reason}`);

    const named = { ...actor, projectId };
    const info = clientInfoOf(body.value);
    if (info) {
      // A label for Connected apps; a call never waits for it, nor fails with it.
      this.clients.noteClient(named, info).catch((error: unknown) => this.logger.warn(error));
    }
    const gone = new AbortController();
    const streams = listens(body.value);
    response.once('close', () => {
      // After a whole answer to a call nobody waits any more, and to abort costs more than to look.
      if (streams || !response.writableFinished) gone.abort();
    });
    if (streams) this.watch(request, response, gone);
    const answer = await this.exchange.answer({
      headers: headersOf(request),
      body: body.value,
      caller: {
        actor: named,
        projectRefusal: refusal,
        requestId: header(request, 'loupe-request-id'),
        conversation: actor.agentSessionId ?? sessionName(header(request, 'mcp-session-id')),
        figmaToken: header(request, 'x-figma-token'),
        gone: gone.signal,
        bodyText: () => body.bytes.toString('utf8'),
      },
      gone: gone.signal,
    });
    await send(answer, response);
  }

  /** A stream that stays asks for its sign-in again, so that it ends with it. */
  private watch(request: HttpRequest, response: HttpResponse, gone: AbortController): void {
    const presented = presentedBy(request);
    const holds = async () => {
      try {
        return presented !== null && (await this.clients.actorOf(presented)) !== null;
      } catch (error) {
        // That an address has failed too often is told after the token was looked up, and found wanting.
        if (error instanceof DomainError && error.kind === 'rate-limited') return false;
        throw error;
      }
    };
    response.once('close', this.listening.follow({ holds, end: () => gone.abort() }));
  }

  private checkHost(request: HttpRequest): void {
    if (countOf(request, 'host') !== 1) {
      throw new Refused(400, 'Send exactly one Host header.');
    }
    const host = hostNameOf(request.host ?? '');
    if (!this.isAllowed(host)) throw this.strangerAt('host', request.host ?? '');
  }

  private checkOrigin(request: HttpRequest): void {
    const origin = header(request, 'origin');
    if (origin === null) return;
    let host: string | null = null;
    try {
      host = new URL(origin).hostname;
    } catch {
      // `null` and whatever else is no origin
    }
    if (host === null || countOf(request, 'origin') !== 1 || !this.isAllowed(hostNameOf(host))) {
      throw this.strangerAt('origin', origin);
    }
  }

  private isAllowed(host: string): boolean {
    return this.configuration.values.mcpAllowedHosts.includes(host);
  }

  private strangerAt(what: 'host' | 'origin', value: string): Refused {
    const allowed = /[^A-Za-z0-9.:_\-[\]]/g;
    const shown = (what === 'host' ? hostNameOf(value) : value).replace(allowed, '').slice(0, 255);
    return new Refused(
      403,
      `The ${what} "${shown}" is not allowed to reach /mcp on this Loupe instance. Add it to MCP_ALLOWED_HOSTS (comma-separated hostnames, no port).`,
    );
  }

  private async checkRate(request: HttpRequest): Promise<void> {
    const result = await this.limiter.hit(REQUESTS_PER_ADDRESS, addressKey(request.ip), {
      max: this.flags.int('rate_limit.api_per_minute'),
      windowSeconds: 60,
      buffered: true,
    });
    if (!result.allowed) {
      this.metrics.rateLimited.inc({ limit: REQUESTS_PER_ADDRESS });
      throw tooMany(result.retryAfterSeconds);
    }
  }

  private async signedIn(request: HttpRequest, meanwhile: () => void): Promise<ConnectionActor> {
    if (countOf(request, 'authorization') > 1) {
      throw new Refused(400, { error: 'invalid_request', message: 'Send one Authorization header.' });
    }
    const authorization = header(request, 'authorization');
    if (authorization === null) {
      throw this.unauthorized(`Bearer realm="loupe", ${this.challenge}`, 'unauthorized', SIGN_IN);
    }
    const presented = presentedBy(request);
    const actor = presented ? await this.clients.actorOf({ ...presented, meanwhile }) : null;
    if (actor) return actor;
    this.metrics.authFailures.inc({ reason: 'token' });
    throw this.unauthorized(
      `Bearer realm="loupe", ${this.challenge}, error="invalid_token", error_description="${BAD_TOKEN}"`,
      'invalid_token',
      `${BAD_TOKEN}.`,
    );
  }

  /**
   * Lets the tool of a call begin to read while identity is asked whether the token still holds: both wait for the
   * database at the same time. The order of the checks, and so every answer, stays as it is.
   */
  private readAhead(request: HttpRequest, read: () => Promise<ReadBody>): void {
    const size = Number(request.headers['content-length']);
    if (request.method !== 'POST' || !(size <= EARLY_BYTES)) return;
    read()
      .then((body) => {
        if (body.kind === 'json') this.exchange.begin(body.value);
      })
      // Who needs the body hears what is wrong with it.
      .catch(() => undefined);
  }

  private unauthorized(challenge: string, error: string, message: string): Refused {
    return new Refused(401, { error, message }, { 'WWW-Authenticate': challenge });
  }

  private wrongScope(): Refused {
    const metadata = this.configuration.url('/.well-known/oauth-protected-resource/mcp');
    return new Refused(
      403,
      { error: 'insufficient_scope', message: WRONG_SCOPE, scope: 'mcp' },
      {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="mcp", resource_metadata="${metadata}", error_description="${WRONG_SCOPE}"`,
      },
    );
  }

  private fail(error: unknown, request: HttpRequest, response: HttpResponse): void {
    // A client that went away wants no answer, and is no fault of ours.
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const { status, headers, body } = this.refusalOf(error, request);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.setHeader(
      'Content-Type',
      typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
    );
    response.status(status).end(text);
  }

  private refusalOf(error: unknown, request: HttpRequest): Refused {
    if (error instanceof Refused) return error;
    const { traceId } = request;
    if (error instanceof DomainError) {
      const { retryAfterSeconds } = error.detail;
      if (error.kind === 'rate-limited') return tooMany(retryAfterSeconds ?? 1);
      const status = error.kind === 'unavailable' ? 503 : error.kind === 'forbidden' ? 403 : 400;
      return new Refused(
        status,
        { error: error.code, message: error.message, traceId },
        retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
      );
    }
    this.logger.error({ msg: 'A request to /mcp failed', traceId, err: error });
    return new Refused(500, {
      jsonrpc: '2.0',
      error: { code: -32603, message: `Something went wrong on the server. Reference: ${traceId}` },
      id: null,
    });
  }
}

/** The token of a request and what comes with it; null when the header names none. */
function presentedBy(request: HttpRequest): Presented | null {
  const token = /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  if (!token) return null;
  return {
    token,
    path: '/mcp',
    ip: request.ip ?? null,
    projectId: header(request, 'loupe-project-id'),
    agentSessionId: sessionName(header(request, 'loupe-session-id')),
  };
}

function checkMediaTypes(request: HttpRequest): void {
  if (!isJsonContentType(request.headers['content-type'])) {
    throw rpcError(415, -32000, 'Unsupported Media Type: Content-Type must be application/json');
  }
  if (
    request.headers['content-encoding'] !== undefined &&
    request.headers['content-encoding'] !== 'identity'
  ) {
    throw rpcError(415, -32000, 'Unsupported Media Type: send the body without Content-Encoding');
  }
  const accept = header(request, 'accept') ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    throw rpcError(
      406,
      -32000,
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    );
  }
}

function rpcError(status: number, code: number, message: string): Refused {
  return new Refused(status, { jsonrpc: '2.0', error: { code, message }, id: null });
}

function tooLarge(): Refused {
  return rpcError(
    413,
    -32600,
    `The request body is too large. The limit is 4 MiB (${BODY_LIMIT} bytes). Send long text in a shorter form, or in several documents.`,
  );
}

function tooMany(retryAfter: number): Refused {
  return new Refused(
    429,
    {
      error: 'rate_limited',
      message: `Too many requests. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
      retryAfter,
    },
    { 'Retry-After': String(retryAfter) },
  );
}

/** A name of another form is ignored. */
function sessionName(value: string | null): string | null {
  return value !== null && AGENT_SESSION_ID.test(value) ? value : null;
}

/** Without port and trailing dot, in lower case. */
function hostNameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function header(request: HttpRequest, name: string): string | null {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

/** Node keeps only the first of some headers; what was sent stands in the raw list. */
function countOf(request: HttpRequest, name: string): number {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]!.toLowerCase() === name) count += 1;
  }
  return count;
}

const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The headers that the protocol looks at; it sees no credential. */
function headersOf(request: HttpRequest): Headers {
  const headers = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = header(request, name);
    if (value !== null) headers.set(name, value);
  }
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith('mcp-param-')) headers.set(name, header(request, name)!);
  }
  return headers;
}

async function send(answer: Answer, response: HttpResponse): Promise<void> {
  if (!(answer instanceof Response)) {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader(
      'Content-Length',
      answer.json.reduce((sum, { length }) => sum + length, 0),
    );
    response.status(200).cork();
    for (const part of answer.json) response.write(part);
    response.end();
    return;
  }
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    if (name !== 'connection') response.setHeader(name, value);
  }
  if (answer.body === null || answer.headers.get('content-type') !== 'text/event-stream') {
    response.end(answer.body === null ? undefined : Buffer.from(await answer.arrayBuffer()));
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
    if (done || response.destroyed) break;
    if (!response.write(value))
      await new Promise((resume) => response.once('drain', resume).once('close', resume));
  }
  response.end();
}
