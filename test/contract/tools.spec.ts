import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { AgentReviewTools } from '#src/shell/mcp/agent-reviews.tools.js';
import { ArtifactGenerationTools } from '#src/shell/mcp/artifact-generation.tools.js';
import { ArtifactPublishingTools } from '#src/shell/mcp/artifact-publishing.tools.js';
import { ArtifactMakingTools, ArtifactTools } from '#src/shell/mcp/artifacts.tools.js';
import { BoardTools } from '#src/shell/mcp/board.tools.js';
import { DocumentLabelTools } from '#src/shell/mcp/document-labels.tools.js';
import { DocumentTools } from '#src/shell/mcp/documents.tools.js';
import type { ListedTool } from '#src/shell/mcp/listed-tool.js';
import { ProjectTools } from '#src/shell/mcp/projects.tools.js';
import type { ToolDefinition, ToolSource } from '#src/shell/mcp/tool-definition.js';
import { TOOL_ORDER } from '#src/shell/mcp/tool-order.js';
import { listedTools, orderedAs } from '#src/shell/mcp/tool-registry.js';
import { TypedArtifactTools } from '#src/shell/mcp/typed-artifacts.tools.js';
import { WorkflowTools } from '#src/shell/mcp/workflow.tools.js';
import { GATE_TABLE } from './gate-table.js';

const SNAPSHOT = join(applicationRoot, 'test/contract/tools.snapshot.json');
const AVERAGE_BUDGET = 900;
const LIST_BUDGET = 60_000;

/** Declarations alone: nothing is called, so nothing stands behind them. */
function declared(): ToolDefinition[] {
  const sources = [
    ProjectTools,
    DocumentTools,
    DocumentLabelTools,
    AgentReviewTools,
    BoardTools,
    WorkflowTools,
    ArtifactTools,
    ArtifactMakingTools,
    ArtifactGenerationTools,
    ArtifactPublishingTools,
    TypedArtifactTools,
  ] as unknown as (new () => ToolSource)[];
  return sources
    .flatMap((Source) => new Source().tools)
    .sort((a, b) => TOOL_ORDER.indexOf(orderedAs(a)) - TOOL_ORDER.indexOf(orderedAs(b)));
}

interface Schema {
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
}

/** Names of arguments and the values that they take, at any depth. */
function wordsOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'enum') return value as string[];
    if (key === 'const') return [String(value)];
    return [...(key === 'properties' ? Object.keys(value as object) : []), ...wordsOf(value)];
  });
}

describe('the list of tools', () => {
  const tools = declared();
  const listed: ListedTool[] = tools.flatMap((tool) =>
    listedTools(tool, { aliases: true, reasoning: 'optional' }),
  );
  /** Words with an underscore that a description may use beside names of tools. */
  const spoken = [
    'turn_index',
    'node_modules',
    'clean_react',
    ...listed.flatMap(({ inputSchema }) => wordsOf(inputSchema)),
  ];
  const aliases = tools.flatMap((tool) => tool.aliases ?? []);
  const compatibilityNames = tools.flatMap(({ name, aliases = [], compatibilityOf }) => [
    ...aliases,
    ...(compatibilityOf ? [name] : []),
  ]);

  it('is the one that was reviewed; UPDATE_TOOL_SNAPSHOT=1 writes it anew for the next review', () => {
    const text = `${JSON.stringify(listed, null, 2)}\n`;
    if (process.env.UPDATE_TOOL_SNAPSHOT || !existsSync(SNAPSHOT)) writeFileSync(SNAPSHOT, text);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  it('keeps to the size budget', () => {
    const sizes = listed.map((tool) => JSON.stringify(tool).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total / listed.length).toBeLessThanOrEqual(AVERAGE_BUDGET);
    // Compatibility names come on top, and an admin may leave them out of the list.
    const own = listed.filter(({ name }) => !compatibilityNames.includes(name));
    expect(JSON.stringify(own).length).toBeLessThanOrEqual(LIST_BUDGET);
  });

  it.each(listed)('describes every argument of $name, and itself in plain sentences', (tool) => {
    expect(tool.title).toMatch(/^[A-Z][A-Za-z ]{2,40}$/);
    expect(tool.description).toMatch(/^[A-Z].*\.$/);
    expect(tool.description.length).toBeGreaterThan(80);
    const undescribed = (schema: Schema, path: string): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
        ...(inner.description ? [] : [`${path}${name}`]),
        ...undescribed(inner.items ?? inner, `${path}${name}.`),
      ]);
    // Those of a compatibility name are described at its tool.
    const words = undescribed(tool.inputSchema as Schema, '');
    if (!aliases.includes(tool.name)) expect(words).toEqual([]);
    expect(tool.inputSchema.additionalProperties).toBe(false);
  });

  it.each(listed)('names only tools that exist or are planned in $name', (tool) => {
    const named = JSON.stringify(tool).match(/(?<!\w-)\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    const known = [...TOOL_ORDER, ...compatibilityNames, ...spoken];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('artifacts 2: names are distinct, and alike only between a tool and its compatibility name', () => {
    const alike = new Map<string, string[]>();
    for (const { name } of listed) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      const key = name.toLowerCase().replaceAll('-', '_');
      alike.set(key, [...(alike.get(key) ?? []), name]);
    }
    for (const names of alike.values()) {
      const [tool, alias, ...more] = names;
      expect(more).toEqual([]);
      if (alias) expect(tools.find(({ name }) => name === tool)?.aliases).toContain(alias);
    }
  });

  it.each(listed)('says of $name what its sibling is for, unless it stands alone', (tool) => {
    const family = tool.name.split('_')[0]!;
    const siblings = TOOL_ORDER.filter((name) => name.startsWith(`${family}_`) && name !== tool.name);
    const named = siblings.filter((name) => tool.description.includes(name));
    expect(tool.name === 'project_current' || siblings.length === 0 || named.length > 0).toBe(true);
  });
});

describe('the gate table', () => {
  const rowOf = (name: string) => GATE_TABLE.filter((row) => row.tools.includes(name));

  it('holds every tool in exactly one row, and no other name', () => {
    expect(TOOL_ORDER.filter((name) => rowOf(name).length !== 1)).toEqual([]);
    expect(GATE_TABLE.flatMap((row) => row.tools).filter((name) => !TOOL_ORDER.includes(name))).toEqual([]);
    expect(new Set(TOOL_ORDER).size).toBe(96);
  });

  it.each(declared())('agrees with the declaration of $name', (tool) => {
    const [row] = rowOf(orderedAs(tool));
    expect(tool.flags).toEqual(row!.flags);
    expect(tool.level === 'administer').toBe(row!.administer.includes(orderedAs(tool)));
  });
});
