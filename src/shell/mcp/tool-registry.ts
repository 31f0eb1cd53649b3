import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Flags } from '#libs/kernel/ports/flags.js';
import { listedNames } from './argument-check.js';
import type { ListedTool } from './listed-tool.js';
import { type ReasoningMode, reasoningModeOf, withReasoning } from './reasoning.js';
import type { ToolDefinition, ToolSource } from './tool-definition.js';
import { TOOL_ORDER } from './tool-order.js';

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

/** Hides the compatibility names from lists while it is off. */
const ALIASES_FLAG = 'artifacts.aliases.listed';

/** All tools, in their fixed order; schemas and lists are made once for a state of the flags, and kept. */
export class ToolRegistry {
  private readonly byName = new Map<string, ToolDefinition>();
  private readonly ordered: readonly ToolDefinition[];
  private readonly hasAliases: boolean;
  private readonly hasReasoning: boolean;
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
      for (const name of [tool.name, ...(tool.aliases ?? [])]) {
        if (this.byName.has(name)) throw new Error(`The tool ${name} is declared twice.`);
        this.byName.set(name, tool);
      }
      if (!place.has(orderedAs(tool))) {
        throw new Error(`The tool ${tool.name} has no place in the order of tools.`);
      }
    }
    // A sort keeps the order of equals, so the declaration of a tool stands before those of its other names.
    this.ordered = [...new Set(this.byName.values())].sort(
      (a, b) => place.get(orderedAs(a))! - place.get(orderedAs(b))! || rank(a) - rank(b),
    );
    this.flagNames = [...new Set(this.ordered.flatMap((tool) => tool.flags))];
    this.hasAliases = this.ordered.some((tool) => tool.aliases || tool.compatibilityOf);
    this.hasReasoning = this.ordered.some((tool) => tool.reasoning);
  }

  /** By its name or by one of its compatibility names. */
  find(name: string): ToolDefinition | undefined {
    return this.byName.get(name);
  }

  /** What is done with `action_and_reasoning` now. */
  get reasoningMode(): ReasoningMode {
    return this.hasReasoning ? reasoningModeOf(this.flags) : 'off';
  }

  /** The first flag of a tool that is off, or null. */
  closedBy(tool: ToolDefinition): string | null {
    return tool.flags.find((flag) => !this.flags.isOn(flag)) ?? null;
  }

  /** The list for the flags as they are now. */
  list(): PreparedList {
    const switches = this.flagNames.map((name) => (this.flags.isOn(name) ? '1' : '0')).join('');
    const key = `${switches} ${this.listsAliases} ${this.reasoningMode}`;
    let list = this.prepared.get(key);
    if (!list) {
      list = this.prepare();
      this.prepared.set(key, list);
    }
    return list;
  }

  private get listsAliases(): boolean {
    return this.hasAliases && this.flags.isOn(ALIASES_FLAG);
  }

  private prepare(): PreparedList {
    const options = { aliases: this.listsAliases, reasoning: this.reasoningMode };
    const tools = this.ordered
      .filter((tool) => this.closedBy(tool) === null)
      .flatMap((tool) => listedTools(tool, options));
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

/** The place of a tool in the order; a name with a form of its own stands with its tool. */
export function orderedAs(tool: ToolDefinition): string {
  return tool.compatibilityOf ?? tool.name;
}

function rank(tool: ToolDefinition): number {
  return tool.compatibilityOf ? 1 : 0;
}

export interface ListingOptions {
  /** Whether compatibility names are shown. */
  readonly aliases: boolean;
  readonly reasoning: ReasoningMode;
}

/** What clients are shown of a tool: one entry for each of its names. */
export function listedTools(tool: ToolDefinition, options: ListingOptions): ListedTool[] {
  const entry = listedTool(tool, options.reasoning);
  if (tool.compatibilityOf) {
    const description = `Compatibility name of ${tool.compatibilityOf}. ${entry.description}`;
    return options.aliases ? [{ ...entry, description }] : [];
  }
  const aliases = options.aliases ? (tool.aliases ?? []) : [];
  const description = `Compatibility name of ${tool.name}, with the same arguments and result. Prefer ${tool.name}.`;
  const short = { ...entry, description, inputSchema: bare(entry.inputSchema) };
  return [entry, ...aliases.map((name) => ({ ...short, name }))];
}

/** Said at the tool and checked on the server; whoever knows the other name knows what it takes. */
const SAID_AT_THE_TOOL = [
  'description',
  'default',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maximum',
  'minimum',
];

/** The same schema without words and bounds: the whole list has to stay small. */
function bare(schema: ListedTool['inputSchema']): ListedTool['inputSchema'] {
  return strip(schema, false) as ListedTool['inputSchema'];
}

/** Inside `properties`, `description` is the name of an argument. */
function strip(node: unknown, names: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => strip(item, false));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => names || !SAID_AT_THE_TOOL.includes(key))
      .map(([key, value]) => [key, strip(value, !names && key === 'properties')]),
  );
}

function listedTool(tool: ToolDefinition, reasoning: ReasoningMode): ListedTool {
  const { shape } = tool.input;
  const shown = z.strictObject(Object.fromEntries(listedNames(tool).map((name) => [name, shape[name]!])));
  const { $schema: _, ...schema } = z.toJSONSchema(shown, { io: 'input' }) as Record<string, unknown>;
  const readOnly = tool.level === 'read';
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: withReasoning(tool, { ...schema, type: 'object', additionalProperties: false }, reasoning),
    annotations: readOnly
      ? { readOnlyHint: true }
      : {
          readOnlyHint: false,
          destructiveHint: tool.destructive ?? false,
          idempotentHint: tool.idempotent ?? false,
          ...(tool.openWorld ? { openWorldHint: true } : {}),
        },
  };
}
