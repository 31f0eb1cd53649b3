import type { Element, ElementContent, Properties, Root } from 'hast';
import { readPlainText } from '#libs/anchoring/plain-text.js';
import type { DecisionBlock, RecommendationStrength } from '../../domain/rendered-document.js';
import { hastTree } from './hast-tree.js';
import { HeadingIds } from './headings.js';
import type { Marks } from './marks.js';

const CALLOUTS: Readonly<Record<string, { readonly title: string; readonly tone: string }>> = {
  note: { title: 'Note', tone: 'neutral' },
  tip: { title: 'Tip', tone: 'good' },
  important: { title: 'Important', tone: 'accent' },
  warning: { title: 'Warning', tone: 'warn' },
  caution: { title: 'Caution', tone: 'bad' },
};

const STARS: Readonly<Record<RecommendationStrength, string>> = { high: '★★★', moderate: '★★☆', low: '★☆☆' };

const HEADING = /^h[1-6]$/;

/** What minting read out of the tree by the way. */
export interface Minted {
  /** Indexes of the decision blocks that came through parsing of raw HTML whole. */
  readonly decisions: ReadonlySet<number>;
  /** Headings in tree order, outside footnotes. */
  readonly headings: readonly Element[];
  readonly footnotes: Element | null;
}

/**
 * Turns marks into our own controls, and gives headings, tables and code blocks what the page needs. Where nobody can
 * answer a decision, its question and its options are prose.
 */
export function mintControls(
  root: Root,
  marks: Marks,
  decisions: readonly DecisionBlock[],
  decisionsAs: 'controls' | 'text' = 'controls',
): Minted {
  const minter = new Minter(marks, decisions, decisionsAs);
  root.children = minter.children(root.children as ElementContent[]);
  return minter;
}

class Minter implements Minted {
  readonly decisions = new Set<number>();
  readonly headings: Element[] = [];
  footnotes: Element | null = null;
  private readonly ids = new HeadingIds();
  private readonly footnoteMentions = new Map<string, number>();

  constructor(
    private readonly marks: Marks,
    private readonly blocks: readonly DecisionBlock[],
    private readonly decisionsAs: 'controls' | 'text',
  ) {}

  children(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.map((node) => (node.type === 'element' ? this.element(node) : node));
  }

  private element(node: Element): Element {
    const mark = this.marks.take(node);
    switch (mark?.kind) {
      case 'decision':
        return this.decision(node, Number(mark.argument));
      case 'callout':
        return this.callout(node, mark.argument);
      case 'annotation':
        return this.annotation(node, mark.argument);
      case 'task':
        return this.task(node, mark.argument === 'done');
      case 'footnote-ref':
        return this.footnoteMark(mark.argument);
      case 'footnotes':
        node.properties.className = ['footnotes'];
        node.properties.role = 'doc-endnotes';
        this.footnotes ??= node;
        break;
      case 'footnote':
        return this.footnote(node, mark.argument);
      case 'options':
        labelCells(node);
        return this.table(node, true);
    }
    if (HEADING.test(node.tagName)) return this.heading(node);
    if (node.tagName === 'table') return this.table(node, false);
    if (node.tagName === 'pre') return codeBlock(node);
    if (node.tagName === 'code') delete node.properties.className;
    node.children = this.children(node.children);
    return node;
  }

  private heading(node: Element): Element {
    node.children = this.children(node.children);
    node.properties.id = this.ids.of(readPlainText(node, hastTree).text);
    if (this.footnotes === null) this.headings.push(node);
    return node;
  }

  private table(node: Element, isOptionTable: boolean): Element {
    node.children = this.children(node.children);
    return element(
      'div',
      {
        className: isOptionTable ? ['table-box', 'option-table'] : ['table-box'],
        tabIndex: 0,
        role: 'region',
        ariaLabel: isOptionTable ? 'Table of options' : 'Table',
      },
      [node],
    );
  }

  private callout(node: Element, kind: string): Element {
    const look = CALLOUTS[kind]!;
    return element(
      'div',
      { className: ['callout'], dataCallout: kind, dataTone: look.tone, role: 'note', ariaLabel: look.title },
      [
        element('span', { className: ['i', 'callout__icon'], dataNoAnchor: '', ariaHidden: 'true' }, []),
        element('span', { className: ['callout__title'], dataNoAnchor: '' }, [text(look.title)]),
        ...this.children(node.children),
      ],
    );
  }

  private annotation(node: Element, place: string): Element {
    const label = element('span', { className: ['annotation__label'], dataNoAnchor: '' }, [text('Note')]);
    const children =
      place === 'block' ? [label, ...this.children(node.children)] : this.children(node.children);
    return element(
      node.tagName,
      { className: place === 'block' ? ['annotation'] : ['annotation', 'annotation--inline'], role: 'note' },
      children,
    );
  }

  private task(node: Element, isDone: boolean): Element {
    node.properties.className = ['task'];
    node.properties.dataDone = String(isDone);
    const glyph = element(
      'span',
      { className: ['task__glyph'], dataNoAnchor: '', role: 'img', ariaLabel: isDone ? 'Done' : 'Not done' },
      [],
    );
    node.children = [glyph, ...this.children(node.children)];
    return node;
  }

  private footnoteMark(argument: string): Element {
    const [number = '', mention = ''] = argument.split('-');
    this.footnoteMentions.set(number, Number(mention));
    return element('sup', { className: ['footnote-ref'], dataNoAnchor: '' }, [
      element(
        'a',
        { id: `footnote-ref-${argument}`, href: `#footnote-${number}`, ariaLabel: `Footnote ${number}` },
        [text(number)],
      ),
    ]);
  }

  private footnote(node: Element, number: string): Element {
    node.properties.id = `footnote-${number}`;
    node.children = this.children(node.children);
    const back: ElementContent[] = [];
    for (let mention = 1; mention <= Math.min(this.footnoteMentions.get(number) ?? 0, 20); mention++) {
      back.push(
        text(' '),
        element(
          'a',
          { href: `#footnote-ref-${number}-${mention}`, ariaLabel: `Back to mention ${mention}` },
          [text('↩')],
        ),
      );
    }
    if (back.length > 0)
      node.children.push(element('span', { className: ['footnote-back'], dataNoAnchor: '' }, back));
    return node;
  }

  /** Raw HTML around a block may have torn it apart; then what is left shows as prose. */
  private decision(node: Element, index: number): Element {
    const block = this.blocks[index];
    const options: Element[] = [];
    let question: Element | null = null;
    for (const child of node.children) {
      if (child.type !== 'element') continue;
      const mark = this.marks.take(child);
      if (mark?.kind === 'question') question = child;
      for (const item of child.children) {
        if (item.type === 'element' && this.marks.take(item)?.kind === 'option') options.push(item);
      }
    }
    if (block === undefined || options.length !== block.options.length || this.decisions.has(index)) {
      node.children = this.children(node.children);
      return node;
    }
    this.decisions.add(index);
    if (this.decisionsAs === 'text') {
      const list = element(
        'ul',
        {},
        options.map((option, at) => this.writtenOption(block, option, at)),
      );
      return element('div', {}, question === null ? [list] : [...this.children([question]), list]);
    }
    return element(
      'fieldset',
      { className: ['decision'], dataDecisionId: block.id, dataDecisionType: block.type },
      [
        question === null
          ? element('legend', { className: ['visually-hidden'], dataNoAnchor: '' }, [text('Decision')])
          : element('legend', {}, this.children(question.children)),
        element(
          'div',
          { className: ['choices'] },
          options.map((option, at) => this.option(block, option, at)),
        ),
      ],
    );
  }

  private option(block: DecisionBlock, item: Element, at: number): Element {
    const input = element(
      'input',
      {
        className: ['check'],
        type: block.type === 'single' ? 'radio' : 'checkbox',
        name: `decision-${block.id}`,
        value: String(at),
        dataNoAnchor: '',
        autoComplete: ['off'],
      },
      [],
    );
    const children: ElementContent[] = [
      input,
      element('span', { className: ['choice__text'] }, [element('span', {}, this.wordsOf(item))]),
    ];
    const strength = block.options[at]!.recommended;
    if (strength !== null) {
      const name = `Recommended, ${strength} confidence`;
      children.push(
        element(
          'span',
          { className: ['stars'], role: 'img', ariaLabel: name, title: name, dataNoAnchor: '' },
          [text(STARS[strength])],
        ),
      );
    }
    return element('label', { className: ['choice'] }, children);
  }

  private writtenOption(block: DecisionBlock, item: Element, at: number): Element {
    const strength = block.options[at]!.recommended;
    const advice = strength === null ? [] : [text(` (recommended, ${strength} confidence)`)];
    return element('li', {}, [...this.wordsOf(item), ...advice]);
  }

  /** A loose list has paragraphs in its items; inside a label they would be no valid HTML. */
  private wordsOf(item: Element): ElementContent[] {
    const inline = item.children.flatMap((child) =>
      child.type === 'element' && child.tagName === 'p' ? child.children : [child],
    );
    return trimmed(this.children(inline));
  }
}

/** Lends each cell the heading of its column, which a narrow screen shows beside it. */
function labelCells(table: Element): void {
  const rows: Element[] = [];
  collectRows(table, rows);
  const [head, ...rest] = rows;
  const labels = (head?.children ?? [])
    .filter((cell) => cell.type === 'element')
    .map((cell) =>
      readPlainText(cell as Element, hastTree)
        .text.replace(/\s+/g, ' ')
        .trim(),
    );
  for (const row of rest) {
    const cells = row.children.filter((cell): cell is Element => cell.type === 'element');
    cells.forEach((cell, column) => {
      if (labels[column] !== undefined && labels[column] !== '') cell.properties.dataLabel = labels[column];
    });
  }
}

function collectRows(node: Element, rows: Element[]): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    if (child.tagName === 'tr') rows.push(child);
    else if (child.tagName !== 'table') collectRows(child, rows);
  }
}

function codeBlock(node: Element): Element {
  const [code] = node.children;
  if (code?.type !== 'element') return node;
  const classes = code.properties.className;
  const language = Array.isArray(classes) ? String(classes[0] ?? '').replace(/^language-/, '') : '';
  delete code.properties.className;
  node.properties.dataLanguage = language;
  return node;
}

function trimmed(nodes: ElementContent[]): ElementContent[] {
  return nodes.filter((node) => node.type !== 'text' || node.value !== '\n');
}

function element(tagName: string, properties: Properties, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
