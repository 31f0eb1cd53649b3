import { failed } from './failure.js';

const SERVER = { command: 'loupe', args: ['mcp'] };

/**
 * `.mcp.json` with the server `loupe` in it; every other server, key and the indentation stay (`cli.md` 3.3).
 * @param text the file as it is, or null when there is none
 * @throws Failure (1) when it does not parse
 */
export function withLoupeServer(text: string | null): string {
  if (text === null || text.trim() === '')
    return `${JSON.stringify({ mcpServers: { loupe: SERVER } }, null, 2)}\n`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken();
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw broken();
  const { mcpServers } = value as { mcpServers?: unknown };
  if (mcpServers !== undefined && (mcpServers === null || typeof mcpServers !== 'object')) throw broken();
  const known = (mcpServers as Record<string, unknown> | undefined)?.loupe;
  if (JSON.stringify(known) === JSON.stringify(SERVER)) return text;
  const next = { ...value, mcpServers: { ...(mcpServers as object | undefined), loupe: SERVER } };
  const end = /\n$/.test(text) ? '\n' : '';
  return `${JSON.stringify(next, null, indentationOf(text))}${end}`;
}

function indentationOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '';
}

function broken() {
  return failed(
    '.mcp.json is not the JSON that Claude Code reads',
    'mend it and run this again; it was left as it is',
  );
}
