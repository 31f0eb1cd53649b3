import { createHash } from 'node:crypto';
import type { Element, Nodes, Root } from 'hast';
import { raw } from 'hast-util-raw';
import { toHtml } from 'hast-util-to-html';
import type { Nodes as MarkdownNodes, Root as MarkdownRoot } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { type PlainText, readPlainText } from '#libs/anchoring/plain-text.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import type { RenderOptions } from '../../application/ports/document-renderer.js';
import type {
  OutlineEntry,
  RenderedDocument,
  RenderedSection,
  RenderWarning,
} from '../../domain/rendered-document.js';
import { mintAddresses } from './addresses.js';
import { applyBlockRules, type BlockFacts } from './block-rules.js';
import { cutFrontMatter } from './front-matter.js';
import { hastTree } from './hast-tree.js';
import { linkIdReminders } from './id-reminders.js';
import { markInvisible } from './invisible-characters.js';
import { useLinearEdits } from './linear-edits.js';
import { Marks } from './marks.js';
import { type Minted, mintControls } from './mint-controls.js';
import { sanitiseTree } from './sanitise.js';

/** Goes up whenever the same Markdown gives other HTML or text; stored versions keep what they have. */
const RENDERER_VERSION = '1';

/** Nesting of lists and quotes that is accepted. */
const MAX_NESTING = 100;

/** Levels of any kind that the steps of the pipeline, which call themselves, can bear. */
const MAX_TREE_DEPTH = 1_000;

const DIRECTED: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 li blockquote td th dt dd legend label caption'.split(' '),
);

useLinearEdits();

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/**
 * Renders cleaned Markdown: parse, our block rules, HTML, sanitise, mint controls and ids, plain
 * text. Runs to its end on the calling thread.
 *
 * @throws InvalidInput on `markdown` when it is nested too deep
 */
export function renderMarkdown(markdown: string, options: RenderOptions = {}): RenderedDocument {
  const { frontMatter, body } = cutFrontMatter(markdown);
  const syntax = parser.parse(body) as MarkdownRoot;
  refuseDeepNesting(syntax);
  if (frontMatter !== null) syntax.children.unshift({ type: 'code', lang: 'yaml', value: frontMatter });
  try {
    return renderTree(syntax, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooSlowOrNested();
    throw error;
  }
}

/** The refusal of 4.6 for what cannot be rendered in time or depth. */
export function tooSlowOrNested(): InvalidInput {
  return new InvalidInput([
    {
      argument: 'markdown',
      sentence: 'The document takes too long to render. Make it smaller or less nested.',
    },
  ]);
}

function renderTree(syntax: MarkdownRoot, { decisions }: RenderOptions): RenderedDocument {
  const marks = new Marks();
  const facts = applyBlockRules(syntax, marks);
  const root = sanitiseTree(htmlTree(syntax, facts), marks);
  const remoteImages = mintAddresses(root);
  const minted = mintControls(root, marks, facts.decisions, decisions);
  markInvisible(root);
  linkIdReminders(root);
  const plain = readPlainText<Nodes>(root, hastTree);
  const starts = placeStarts(root, plain);
  return {
    html: toHtml(root, { allowDangerousHtml: false, characterReferences: { useNamedReferences: false } }),
    plainText: plain.text,
    rendererVersion: RENDERER_VERSION,
    outline: outlineOf(minted, starts),
    sections: sectionsOf(minted, starts, plain.text),
    decisions: facts.decisions.filter((_, index) => minted.decisions.has(index)),
    warnings: warningsOf(facts, minted, remoteImages),
  };
}

function htmlTree(syntax: MarkdownRoot, facts: BlockFacts): Root {
  const html = unified()
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
    .runSync(syntax) as Root;
  if (!facts.hasRawHtml) return html;
  if (depthOf(html) > MAX_TREE_DEPTH) throw tooSlowOrNested();
  const parsed = raw(html) as Root;
  if (depthOf(parsed) > MAX_TREE_DEPTH) throw tooSlowOrNested();
  return parsed;
}

function refuseDeepNesting(root: MarkdownRoot): void {
  const waiting: { node: MarkdownNodes; nesting: number; depth: number }[] = [
    { node: root, nesting: 0, depth: 0 },
  ];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const nesting = at.nesting + (at.node.type === 'list' || at.node.type === 'blockquote' ? 1 : 0);
    if (nesting > MAX_NESTING) {
      throw new InvalidInput([
        {
          argument: 'markdown',
          sentence: `Lists and quotes are nested deeper than ${MAX_NESTING} levels. Make the document less nested.`,
        },
      ]);
    }
    if (at.depth > MAX_TREE_DEPTH) throw tooSlowOrNested();
    if ('children' in at.node) {
      for (const node of at.node.children) waiting.push({ node, nesting, depth: at.depth + 1 });
    }
  }
}

function depthOf(root: Nodes): number {
  let deepest = 0;
  const waiting: { node: Nodes; depth: number }[] = [{ node: root, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    deepest = Math.max(deepest, at.depth);
    if ('children' in at.node)
      for (const node of at.node.children) waiting.push({ node, depth: at.depth + 1 });
  }
  return deepest;
}

/** Writes `data-start` and the direction onto the blocks; gives back the offsets by element. */
function placeStarts(root: Root, plain: PlainText<Nodes>): ReadonlyMap<Nodes, number> {
  const starts = new Map<Nodes, number>();
  for (const { node, start } of plain.blocks) {
    starts.set(node, start);
    if (node.type === 'element') node.properties.dataStart = String(start);
  }
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'element' && DIRECTED.has(node.tagName)) node.properties.dir = 'auto';
    if ('children' in node) for (const child of node.children) waiting.push(child);
  }
  return starts;
}

function outlineOf(minted: Minted, starts: ReadonlyMap<Nodes, number>): OutlineEntry[] {
  return minted.headings
    .filter((heading) => starts.has(heading))
    .map((heading) => ({
      id: String(heading.properties.id),
      level: levelOf(heading),
      text: titleOf(heading),
      start: starts.get(heading)!,
    }));
}

function sectionsOf(
  minted: Minted,
  starts: ReadonlyMap<Nodes, number>,
  plainText: string,
): RenderedSection[] {
  const headings = minted.headings.filter((heading) => starts.has(heading));
  const end = startOfFootnotes(minted, starts) ?? plainText.length;
  return headings.map((heading, index) => {
    const next = headings[index + 1];
    const span = { start: starts.get(heading)!, end: next === undefined ? end : starts.get(next)! };
    return {
      headingId: String(heading.properties.id),
      title: titleOf(heading),
      level: levelOf(heading),
      contentHash: createHash('sha256').update(plainText.slice(span.start, span.end).trim()).digest('hex'),
      ...span,
    };
  });
}

/** Notes at the end belong to no section, else a new note would undo an approval. */
function startOfFootnotes(minted: Minted, starts: ReadonlyMap<Nodes, number>): number | null {
  const waiting: Nodes[] = minted.footnotes === null ? [] : [minted.footnotes];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    const start = starts.get(node);
    if (start !== undefined) return start;
    if ('children' in node) waiting.unshift(...node.children.slice(0, 100));
  }
  return null;
}

function warningsOf(facts: BlockFacts, minted: Minted, remoteImages: number): RenderWarning[] {
  const warnings = [...facts.warnings];
  facts.decisions.forEach((block, index) => {
    if (minted.decisions.has(index)) return;
    warnings.push({
      code: 'decision_malformed',
      decisionId: block.id,
      message: `The decision block "${block.id}" is shown as plain text: raw HTML around it takes it apart.`,
    });
  });
  if (remoteImages > 0) {
    warnings.push({
      code: 'remote_image',
      decisionId: null,
      message: `${remoteImages === 1 ? '1 image is' : `${remoteImages} images are`} not loaded, because the page of a document fetches nothing from elsewhere. Readers see the alternative text and a link.`,
    });
  }
  return warnings;
}

function titleOf(heading: Element): string {
  return readPlainText<Nodes>(heading, hastTree).text.replace(/\s+/g, ' ').trim();
}

function levelOf(heading: Element): OutlineEntry['level'] {
  return Number(heading.tagName.slice(1)) as OutlineEntry['level'];
}
