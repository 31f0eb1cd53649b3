/** One JSON-RPC message as far as the proxy looks into it. */
export interface Message {
  readonly text: string;
  readonly id: string | number | null;
  readonly method: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Parses a line. @returns null when it is no JSON-RPC message. */
export function messageOf(text: string): Message | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { id, method, params } = value as { id?: unknown; method?: unknown; params?: unknown };
  return {
    text,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: typeof method === 'string' ? method : null,
    params: params !== null && typeof params === 'object' ? (params as Record<string, unknown>) : {},
  };
}

export function errorLine(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Headers that the HTTP transport of the newest revision wants to mirror the body. An older client has no such envelope;
 * for it the version that `initialize` agreed on is sent.
 */
export function mirrorHeaders(message: Message, agreed: string | null): Record<string, string> {
  const meta = message.params._meta as Record<string, unknown> | undefined;
  const version = meta?.[VERSION_KEY];
  if (typeof version !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const name = message.params.name ?? message.params.uri ?? message.params.taskId;
  return {
    'mcp-protocol-version': version,
    ...(message.method === null ? {} : { 'mcp-method': headerText(message.method) }),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** Text that a header cannot carry travels in the sentinel form of the protocol. */
function headerText(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
