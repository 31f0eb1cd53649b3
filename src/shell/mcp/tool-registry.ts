import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { ToolDefinition, ToolSource } from './tool-definition.js';
import { TOOL_ORDER } from './tool-order.js';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** The tools that one set of flags lets through, with the results of `tools/list` ready to send. */
export interface PreparedList {
  readonly tools: readonly ListedTool[];
  /** JSON of the result in the era of `initialize`. */
  readonly legacyResult: Buffer;
  /** JSON of the result from 2026-07-28 on. */
  readonly modernResult: Buffer;
}

/** How long a client of the newer era may keep a list, in milliseconds. */
export const LIST_TTL_MS = 15_000;

export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** All tools, in their fixed order; schemas and lists are made once and kept. */
export class ToolRegistry {
  private readonly byName = new Map<string, ToolDefinition>();
  private readonly listed: readonly { readonly tool: ToolDefinition; readonly entry: ListedTool }[];
  private readonly flagNames: readonly string[];
  private readonly prepared = new Map<string, PreparedList>();

  /** @throws Error when a name is declared twice or has no place in the order. */
  constructor(
    sources: readonly ToolSource[],
    private readonly flags: Flags,
    private readonly identity: ServerIdentity,
    order: readonly string[] = TOOL_ORDER,
  ) {
    const place = new Map(order.map((name, index) => [name, index]));
    for (const tool of sources.flatMap((source) => source.tools)) {
      if (this.byName.has(tool.name)) throw new Error(`The tool ${tool.name} is declared twice.`);
      if (!place.has(tool.name)) throw new Error(`The tool ${tool.name} has no place in the order of tools.`);
      this.byName.set(tool.name, tool);
    }
    this.listed = [...this.byName.values()]
      .sort((a, b) => place.get(a.name)! - place.get(b.name)!)
      .map((tool) => ({ tool, entry: listedTool(tool) }));
    this.flagNames = [...new Set(this.listed.flatMap(({ tool }) => tool.flags))];
  }

  find(name: string): ToolDefinition | undefined {
    return this.byName.get(name);
  }

  /** The first flag of a tool that is off, or null. */
  closedBy(tool: ToolDefinition): string | null {
    return tool.flags.find((flag) => !this.flags.isOn(flag)) ?? null;
  }

  /** The list for the flags as they are now. */
  list(): PreparedList {
    const key = this.flagNames.map((name) => (this.flags.isOn(name) ? '1' : '0')).join('');
    let list = this.prepared.get(key);
    if (!list) {
      list = this.prepare();
      this.prepared.set(key, list);
    }
    return list;
  }

  private prepare(): PreparedList {
    const tools = this.listed.filter(({ tool }) => this.closedBy(tool) === null).map(({ entry }) => entry);
    const modern = {
      tools,
      resultType: 'complete',
      ttlMs: LIST_TTL_MS,
      cacheScope: 'private',
      _meta: { [SERVER_INFO_META_KEY]: this.identity },
    };
    return {
      tools,
      legacyResult: Buffer.from(JSON.stringify({ tools })),
      modernResult: Buffer.from(JSON.stringify(modern)),
    };
  }
}

/** What clients are shown of a tool. */
export function listedTool(tool: ToolDefinition): ListedTool {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' }) as Record<string, unknown>;
  const readOnly = tool.level === 'read';
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...schema, type: 'object', additionalProperties: false },
    annotations: readOnly
      ? { readOnlyHint: true }
      : {
          readOnlyHint: false,
          destructiveHint: tool.destructive ?? false,
          idempotentHint: tool.idempotent ?? false,
        },
  };
}
