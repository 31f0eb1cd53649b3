import { type Html, html } from '#src/identity/interface/http/pages/html.js';
import type { ListedTool } from '../mcp/listed-tool.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';
import { type PreparedList, ToolRegistry } from '../mcp/tool-registry.js';
import type { GuideHeading } from './guide-markdown.js';

/** The part of a tool name before its first `_`, and the heading under which it stands. */
const GROUPS: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ['Project', ['project', 'readiness']],
  ['Documents', ['document', 'tag', 'series']],
  ['Board', ['card', 'board', 'column', 'feedback']],
  ['Workflow', ['workflow', 'automation', 'agent', 'discovery']],
  ['Inbox', ['inbox']],
  ['Runs and bridges', ['worker', 'bridge']],
  ['Analytics', ['metric', 'experiment', 'analysis', 'analytics']],
  ['Artifacts', ['artifact', 'workspace']],
];

const ROLES = { read: 'every role', contribute: 'member', administer: 'maintainer' } as const;

export interface ToolReference {
  readonly body: Html;
  readonly headings: readonly GuideHeading[];
}

interface ShownTool {
  readonly listed: ListedTool;
  readonly definition: ToolDefinition;
  /** Compatibility names with the same form. */
  readonly aliases: readonly string[];
}

/** The tools that the flags let through, from their one declaration; made once for each state of the flags. */
export class ToolReferences {
  private readonly made = new WeakMap<PreparedList, ToolReference>();

  constructor(private readonly registry: ToolRegistry) {}

  get current(): ToolReference {
    const list = this.registry.list();
    let reference = this.made.get(list);
    if (!reference) {
      reference = this.make(list);
      this.made.set(list, reference);
    }
    return reference;
  }

  private make({ tools }: PreparedList): ToolReference {
    const shown = tools.flatMap((listed): ShownTool[] => {
      const definition = this.registry.find(listed.name)!;
      if (definition.name !== listed.name) return [];
      const aliases = tools.map(({ name }) => name).filter((name) => definition.aliases?.includes(name));
      return [{ listed, definition, aliases }];
    });
    const groups = groupedBy(shown, ({ definition }) => groupOf(definition));
    const headings: GuideHeading[] = [];
    const sections = [...groups].map(([title, members]) => {
      const id = `tools-${title.toLowerCase().replaceAll(' ', '-')}`;
      headings.push({ id, level: 2, text: title });
      for (const { listed } of members) headings.push({ id: listed.name, level: 3, text: listed.name });
      return html`<h2 id="${id}">${title}</h2>
${members.map(toolSection)}`;
    });
    return { body: html`${sections}`, headings };
  }
}

function groupedBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function groupOf({ name, compatibilityOf }: ToolDefinition): string {
  const [prefix] = (compatibilityOf ?? name).split('_', 1);
  return GROUPS.find(([, prefixes]) => prefixes.includes(prefix!))?.[0] ?? 'Other';
}

function toolSection({ listed, definition, aliases }: ShownTool): Html {
  const { name, title, description, inputSchema } = listed;
  const rows = argumentsOf(inputSchema);
  return html`<section class="tool" aria-labelledby="${name}">
<h3 id="${name}"><code>${name}</code> <span class="tool__title">${title}</span><a class="guide__anchor" href="#${name}" tabindex="-1" aria-hidden="true">#</a></h3>
<p class="tool__facts">${factsOf(definition).map((fact) => html`<span>${fact}</span>`)}</p>
<p>${withCode(description)}</p>
${aliases.length > 0 && html`<p>Also called ${aliases.map((alias, at) => html`${at > 0 && ', '}<code>${alias}</code>`)}.</p>`}
${rows.length === 0 ? html`<p class="muted">No arguments.</p>` : argumentTable(name, rows)}
</section>`;
}

function factsOf(tool: ToolDefinition): (Html | string)[] {
  return [
    tool.level === 'read' ? 'Reads' : tool.destructive ? 'Writes, destructive' : 'Writes',
    html`Scope <code>mcp</code>`,
    `Role: ${ROLES[tool.level]}`,
    ...(tool.idempotent ? ['Safe to repeat'] : []),
    ...(tool.openWorld ? ['Seen outside of the instance'] : []),
    tool.flags.length === 0
      ? 'No flag'
      : html`Flag ${tool.flags.map((flag, at) => html`${at > 0 && ' and '}<code>${flag}</code>`)}`,
  ];
}

interface Argument {
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly about: string;
}

function argumentTable(name: string, rows: readonly Argument[]): Html {
  return html`<table aria-label="Arguments of ${name}"><thead><tr><th scope="col">Argument</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    ({ path, required, type, about }) =>
      html`<tr><th scope="row"><code>${path}</code>${required && html` <span class="tool__required">required</span>`}</th><td data-label="Type">${type}</td><td data-label="Meaning">${withCode(about)}</td></tr>`,
  )}</tbody></table>`;
}

type Schema = Readonly<Record<string, unknown>>;

/** Every argument, those inside of objects and lists too: `relatedCards[].cardId`. */
function argumentsOf(schema: Schema, before = ''): Argument[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  return properties.flatMap(([name, property]) => {
    const path = `${before}${name}`;
    const items = property.items as Schema | undefined;
    return [
      {
        path,
        required: required.has(name),
        type: typeOf(property),
        about: String(property.description ?? ''),
      },
      ...argumentsOf(property, `${path}.`),
      ...(items ? argumentsOf(items, `${path}[].`) : []),
    ];
  });
}

/** `string, at most 100 characters`; of a list first what its entries are. */
function typeOf(schema: Schema, plural = ''): string {
  const items = schema.items as Schema | undefined;
  const values = schema.enum as readonly unknown[] | undefined;
  const limits = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((limit) => limit !== null)
    .join(', ');
  const base = values
    ? values.map((value) => JSON.stringify(value)).join(' or ')
    : items
      ? `list of ${typeOf(items, 's')}`
      : `${schema.type ?? 'value'}${plural}`;
  if (limits === '') return base;
  return plural ? `${base} (each ${limits})` : `${base}, ${limits}`;
}

function range(from: unknown, to: unknown, unit: string): string | null {
  const [least, most] = [from, to].map((bound) =>
    typeof bound === 'number' && bound < Number.MAX_SAFE_INTEGER ? bound.toLocaleString('en-US') : null,
  );
  if (least && most) return `${least} to ${most}${unit}`;
  if (most) return `at most ${most}${unit}`;
  return least ? `at least ${least}${unit}` : null;
}

/** Declarations put code between backticks. */
function withCode(text: string): (Html | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
