import { z } from 'zod';
import { id, list, oneOf, text, whole, yesNo } from '../mcp/arguments.js';
import { SwitchedFlags } from '../mcp/testing/mcp-fixtures.js';
import { type ToolDefinition, tool } from '../mcp/tool-definition.js';
import { TOOL_ORDER } from '../mcp/tool-order.js';
import { ToolRegistry } from '../mcp/tool-registry.js';
import { ToolReferences } from './tool-reference.js';

const card = tool({
  name: 'card_create',
  title: 'Create card',
  description: 'Makes a card with `title`. <b>Bold</b> & more.',
  level: 'contribute',
  flags: ['board.enabled'],
  input: z.object({
    title: text('One line', { maxLength: 1_000 }),
    kind: oneOf('How', ['relates-to', 'blocks']).optional(),
    links: list(
      z
        .object({ cardId: id('The other card'), note: text('Why').optional() })
        .meta({ description: 'A link' }),
      {
        description: 'The whole set',
        maxItems: 10,
      },
    ).optional(),
    urls: list(text('A pull request', { maxLength: 512 }), { description: 'The whole set' }).optional(),
    page: whole('Page', { minimum: 1, default: 1 }).optional(),
    archived: yesNo('Those too', false).optional(),
  }),
  handle: () => Promise.resolve({}),
});
const read = tool({
  name: 'project_current',
  title: 'Current project',
  description: 'Says which.',
  level: 'read',
  flags: [],
  aliases: ['project-current'],
  input: z.object({}),
  handle: () => Promise.resolve({}),
});

describe('the reference of tools', () => {
  let flags: SwitchedFlags;
  const of = (...tools: ToolDefinition[]) =>
    new ToolReferences(new ToolRegistry([{ tools }], flags, { name: 'loupe', title: 'Loupe', version: '1' }));

  beforeEach(() => {
    flags = new SwitchedFlags();
  });

  it('shows what each tool asks for, with what is inside of lists, and writes no markup of a declaration', () => {
    const { body, headings } = of(card).current;
    const rows = [...body.markup.matchAll(/<tr><th scope="row">(.*?)<\/th><td[^>]*>(.*?)<\/td>/g)].map(
      ([, name, type]) => [name!.replace(/<[^>]+>/g, ''), type],
    );
    expect(rows).toEqual([
      ['title required', 'string, at most 1,000 characters'],
      ['kind', '&quot;relates-to&quot; or &quot;blocks&quot;'],
      ['links', 'list of objects, at most 10 entries'],
      ['links[].cardId required', 'string'],
      ['links[].note', 'string'],
      ['urls', 'list of strings (each at most 512 characters)'],
      ['page', 'integer, at least 1, default 1'],
      ['archived', 'boolean, default false'],
    ]);
    expect(body.markup).toContain(
      'Makes a card with <code>title</code>. &lt;b&gt;Bold&lt;/b&gt; &amp; more.',
    );
    expect(body.markup).toContain('<span>Role: member</span>');
    expect(body.markup).toContain('Flag <code>board.enabled</code>');
    expect(headings).toEqual([
      { id: 'tools-board', level: 2, text: 'Board' },
      { id: 'card_create', level: 3, text: 'card_create' },
    ]);
  });

  it('platform 2.1: leaves out what is switched off, and is made anew when a flag changes and only then', () => {
    const references = of(card, read);
    flags.switch('board.enabled', false);
    const off = references.current;
    expect(off.headings.map(({ id: name }) => name)).toEqual(['tools-project', 'project_current']);
    expect(references.current).toBe(off);
    flags.switch('board.enabled', true);
    expect(references.current.headings.map(({ id: name }) => name)).toContain('card_create');
    flags.switch('board.enabled', false);
    expect(references.current).toBe(off);
  });

  it('names compatibility names at their tool, while they are listed', () => {
    flags.switch('artifacts.aliases.listed', false);
    expect(of(read).current.body.markup).not.toContain('project-current');
    flags.switch('artifacts.aliases.listed', true);
    const { body } = of(read).current;
    expect(body.markup).toContain('Also called <code>project-current</code>.');
    expect(body.markup.match(/<section/g)).toHaveLength(1);
  });

  it('has a heading for every tool that there is or will be', () => {
    const all = TOOL_ORDER.map((name) => tool({ ...read, name, aliases: [] }));
    const { headings } = of(...all).current;
    expect(headings.map(({ text: title }) => title)).not.toContain('Other');
    expect(headings.filter(({ level }) => level === 3)).toHaveLength(TOOL_ORDER.length);
  });
});
