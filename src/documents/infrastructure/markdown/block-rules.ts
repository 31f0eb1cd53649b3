import type { Blockquote, Html, Nodes, Parent, PhrasingContent, Root, RootContent, Table } from 'mdast';
import type { DecisionBlock, RenderWarning } from '../../domain/rendered-document.js';
import { DecisionBlocks } from './decision-blocks.js';
import { collectFootnotes } from './footnotes.js';
import { htmlParts, soleComment } from './html-comments.js';
import type { Marks } from './marks.js';
import { escapeUnclosed } from './raw-html.js';

const CALLOUT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

export interface BlockFacts {
  readonly decisions: readonly DecisionBlock[];
  readonly warnings: readonly RenderWarning[];
  /** True when the text holds raw HTML other than comments, so that an HTML parser must read it. */
  readonly hasRawHtml: boolean;
}

/** Applies our own rules to the syntax tree of the Markdown, in place. */
export function applyBlockRules(root: Root, marks: Marks): BlockFacts {
  const rules = new BlockRules(marks);
  rules.visit(root);
  collectFootnotes(root, marks);
  return {
    decisions: rules.decisions.found,
    warnings: [...rules.decisions.warnings, ...rules.warnings],
    hasRawHtml: rules.hasRawHtml,
  };
}

class BlockRules {
  readonly decisions: DecisionBlocks;
  readonly warnings: RenderWarning[] = [];
  hasRawHtml = false;

  constructor(private readonly marks: Marks) {
    this.decisions = new DecisionBlocks(marks);
  }

  visit(node: Nodes): void {
    if (!('children' in node)) return;
    const parent = node as Parent;
    if (node.type === 'root' || node.type === 'blockquote' || node.type === 'listItem') {
      const children = this.decisions.replaceIn(node.children as RootContent[]);
      parent.children = this.annotated(this.withOptionTables(children), true);
    } else if (parent.children.some((child) => child.type === 'html')) {
      parent.children = this.annotated(parent.children, isBlockParent(node));
    }
    if (node.type === 'blockquote') this.markCallout(node);
    if (node.type === 'listItem' && typeof node.checked === 'boolean') {
      node.data = { hProperties: this.marks.of('task', node.checked ? 'done' : 'open') };
      node.checked = null;
    }
    for (const child of parent.children) this.visit(child);
  }

  private markCallout(quote: Blockquote): void {
    const [paragraph] = quote.children;
    const first = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined;
    if (paragraph?.type !== 'paragraph' || first?.type !== 'text') return;
    const match = CALLOUT.exec(first.value);
    if (match === null || (match[0].length === first.value.length && !endsLine(paragraph.children[1])))
      return;
    first.value = first.value.slice(match[0].length);
    if (first.value === '') paragraph.children.shift();
    if (paragraph.children[0]?.type === 'break') paragraph.children.shift();
    if (paragraph.children.length === 0) quote.children.shift();
    quote.data = { hName: 'div', hProperties: this.marks.of('callout', match[1]!.toLowerCase()) };
  }

  /** A table of two or more columns between the two comments is marked; else they stay annotations. */
  private withOptionTables(children: readonly RootContent[]): RootContent[] {
    const result: RootContent[] = [];
    let openAt = -1;
    for (const child of children) {
      const comment = child.type === 'html' ? soleComment(child.value) : null;
      if (comment === 'options') openAt = result.length;
      if (comment === '/options' && openAt >= 0) {
        const tables = result.slice(openAt + 1).filter(isWideTable);
        if (tables.length > 0) {
          for (const table of tables) table.data = { hProperties: this.marks.of('options') };
          result.splice(openAt, 1);
          openAt = -1;
          continue;
        }
        openAt = -1;
      }
      result.push(child);
    }
    return result;
  }

  /** Comments become notes; other raw HTML stays for the HTML parser. */
  private annotated(children: readonly Nodes[], asBlock: boolean): RootContent[] {
    const result: RootContent[] = [];
    for (const child of children) {
      if (child.type !== 'html') {
        result.push(child as RootContent);
        continue;
      }
      result.push(...this.notesOf(child, asBlock));
    }
    escapeUnclosed(result);
    return result;
  }

  private notesOf(html: Html, asBlock: boolean): RootContent[] {
    const result: RootContent[] = [];
    let rawBefore = false;
    for (const part of htmlParts(html.value)) {
      if ('raw' in part) {
        this.hasRawHtml = true;
        rawBefore = true;
        result.push({ type: 'html', value: part.raw });
      } else if (rawBefore && asBlock) {
        // Inside an element of raw HTML a comment is what it is everywhere else on the web.
        this.warnCommentDropped(part.comment);
      } else {
        const text = part.comment.trim().replace(/^note:\s*/i, '');
        if (text !== '') result.push(this.note(text, asBlock));
      }
    }
    return result;
  }

  private note(text: string, asBlock: boolean): RootContent {
    const content: PhrasingContent[] = [{ type: 'text', value: text }];
    return {
      type: 'annotation',
      children: asBlock ? [{ type: 'paragraph', children: content }] : content,
      data: {
        hName: asBlock ? 'div' : 'span',
        hProperties: this.marks.of('annotation', asBlock ? 'block' : 'inline'),
      },
    } as unknown as RootContent;
  }

  private warnCommentDropped(comment: string): void {
    if (comment.trim() === '' || this.warnings.length >= 20) return;
    const shown = [...comment.trim().replace(/\s+/g, ' ')].slice(0, 60).join('');
    this.warnings.push({
      code: 'comment_dropped',
      decisionId: null,
      message: `The comment "${shown}" stands inside an HTML element and is not shown. Move it to a line of its own.`,
    });
  }
}

function endsLine(next: PhrasingContent | undefined): boolean {
  return next === undefined || next.type === 'break';
}

function isBlockParent(node: Nodes): boolean {
  return node.type === 'footnoteDefinition';
}

function isWideTable(node: RootContent): node is Table {
  return node.type === 'table' && (node.children[0]?.children.length ?? 0) >= 2;
}
