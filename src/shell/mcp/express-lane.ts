import {
  type classifyInboundRequest,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import type { PreparedList, ServerIdentity, ToolRegistry } from './tool-registry.js';
import type { ToolResult } from './tool-result.js';
import type { Caller, ToolRunner } from './tool-runner.js';

/** Revisions of the era of `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

export const MODERN_VERSION = '2026-07-28';

const WRONG_PARAMS = ProtocolErrorCode.InvalidParams;

type Era = 'legacy' | 'modern';

/** A request for the list or for one call that has nothing unusual about it. */
interface PlainRequest {
  readonly era: Era;
  readonly id: string | number;
  /** Null asks for the list; a text says why there is nothing to call. */
  readonly call: { readonly name: string; readonly args: Readonly<Record<string, unknown>> } | string | null;
}

/**
 * The two requests that agents send all day, answered without a server object of the protocol library for each: about
 * half the time of an answer. Whatever is unusual about a request is for the library; a test compares both ways.
 */
export class ExpressLane {
  constructor(
    private readonly registry: ToolRegistry,
    /** Null leaves calls to the library. */
    private readonly runner: ToolRunner | null,
    private readonly identity: ServerIdentity,
  ) {}

  /** JSON of the answer in parts, or null when the request is not for this lane. */
  async answer(
    outcome: ReturnType<typeof classifyInboundRequest>,
    headers: Headers,
    body: unknown,
    caller: Caller,
  ): Promise<readonly Buffer[] | null> {
    const plain = plainRequest(outcome, headers, body);
    if (!plain) return null;
    if (!plain.call) return listAnswer(plain, this.registry.list());
    if (typeof plain.call === 'string') return errorAnswer(plain.id, WRONG_PARAMS, plain.call);
    if (!this.runner) return null;
    const { name, args } = plain.call;
    // What is told on the way needs a stream, which the library makes.
    if (asksForProgress(body) && this.registry.find(name)?.reportsProgress) return null;
    try {
      const result = await this.runner.call(caller, name, args);
      return callAnswer(plain.id, plain.era === 'modern' ? this.modernResult(result) : result);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return errorAnswer(plain.id, error.code, error.message);
    }
  }

  private modernResult(result: ToolResult): ToolResult {
    return { ...result, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: this.identity } };
  }
}

/** Whether a request carries a token for progress. */
export function asksForProgress(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } } | null };
  const token = params?._meta?.progressToken;
  return typeof token === 'string' || typeof token === 'number';
}

function plainRequest(
  outcome: ReturnType<typeof classifyInboundRequest>,
  headers: Headers,
  body: unknown,
): PlainRequest | null {
  const era = eraOf(outcome, headers);
  if (!era) return null;
  const { id, method, params, ...further } = body as Record<string, unknown>;
  if (Object.keys(further).some((key) => key !== 'jsonrpc')) return null;
  const request = { era, id: id as string | number };
  if (method === 'tools/list') return holdsOnly(params, ['_meta']) ? { ...request, call: null } : null;
  if (method !== 'tools/call' || !holdsOnly(params, ['_meta', 'name', 'arguments'])) return null;
  const { name, arguments: args } = (params ?? {}) as Record<string, unknown>;
  if (era === 'modern' && headers.get('mcp-name') !== name) return null;
  return { ...request, call: calledWith(name, args) };
}

/** In words of our own: the library answers with what its validator printed. */
function calledWith(name: unknown, args: unknown): PlainRequest['call'] {
  if (typeof name !== 'string') return 'tools/call needs the name of a tool in params.name.';
  if (args === undefined || args === null) return { name, args: {} };
  return isObject(args)
    ? { name, args }
    : 'params.arguments must be an object that holds the arguments of the tool by name.';
}

/** The era of a request whose headers are complete, as far as the classifier has not looked at them. */
function eraOf(outcome: ReturnType<typeof classifyInboundRequest>, headers: Headers): Era | null {
  const version = headers.get('mcp-protocol-version');
  if (outcome.kind === 'legacy') {
    const known = version === null || LEGACY_VERSIONS.includes(version);
    return outcome.reason === 'no-claim' && known ? 'legacy' : null;
  }
  if (outcome.kind !== 'modern' || outcome.messageKind !== 'request') return null;
  const complete = version !== null && headers.get('mcp-method') !== null;
  return complete && outcome.classification.revision === MODERN_VERSION ? 'modern' : null;
}

/** `_meta` may hold what it likes: nothing of it changes an answer, and the classifier has checked the envelope. */
function holdsOnly(params: unknown, keys: readonly string[]): boolean {
  if (params === undefined) return true;
  if (!isObject(params) || !Object.keys(params).every((key) => keys.includes(key))) return false;
  return params._meta === undefined || isObject(params._meta);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function listAnswer({ id, era }: PlainRequest, list: PreparedList): readonly Buffer[] {
  return [
    Buffer.from(headOf(id)),
    era === 'modern' ? list.modernResult : list.legacyResult,
    Buffer.from('}'),
  ];
}

/** Long texts are sent as they are held; the rest is written around them. */
function callAnswer(id: string | number, { content, ...further }: ToolResult): readonly Buffer[] {
  const parts: Buffer[] = [];
  let text = `${headOf(id)}{"content":[`;
  for (const [index, block] of content.entries()) {
    if (index > 0) text += ',';
    if (block.type === 'text' && typeof block.text !== 'string') {
      parts.push(Buffer.from(`${text}{"type":"text","text":`), block.text.json);
      text = '}';
    } else {
      text += JSON.stringify(block);
    }
  }
  const rest = JSON.stringify(further);
  parts.push(Buffer.from(`${text}]${rest === '{}' ? '' : ','}${rest.slice(1)}}`));
  return parts;
}

function errorAnswer(id: string | number, code: number, message: string): readonly Buffer[] {
  return [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))];
}

function headOf(id: string | number): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}
