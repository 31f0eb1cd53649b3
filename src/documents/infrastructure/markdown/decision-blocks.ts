import type { List, ListItem, Paragraph, RootContent } from 'mdast';
import { toString as plainTextOf } from 'mdast-util-to-string';
import type {
  DecisionBlock,
  DecisionOption,
  RecommendationStrength,
  RenderWarning,
} from '../../domain/rendered-document.js';
import { soleComment } from './html-comments.js';
import type { Marks } from './marks.js';

const OPENER = /^decision:([\s\S]*)$/i;
const CLOSER = /^\/decision$/i;
const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const RECOMMENDED = /\s*\(recommended:\s*(high|moderate|low)\)\s*$/i;
const MAX_OPTIONS = 50;

/** Finds decision blocks among siblings (`documents.md` 4.3) and makes each a marked node. */
export class DecisionBlocks {
  readonly found: DecisionBlock[] = [];
  readonly warnings: RenderWarning[] = [];
  private readonly usedIds = new Set<string>();

  constructor(private readonly marks: Marks) {}

  /** The children with every well-formed block replaced and every marker taken out. */
  replaceIn(children: readonly RootContent[]): RootContent[] {
    const result: RootContent[] = [];
    let open: { id: string; at: number } | null = null;
    for (const child of children) {
      const comment = child.type === 'html' ? soleComment(child.value) : null;
      const opener = comment === null ? null : OPENER.exec(comment);
      if (opener !== null) {
        if (open !== null) this.malformed(open.id, 'a second block opens before it is closed');
        open = { id: opener[1]!.trim(), at: result.length };
      } else if (comment !== null && CLOSER.test(comment)) {
        if (open === null) this.malformed(null, 'the closing comment has no opening one');
        else {
          const content = result.splice(open.at);
          result.push(...this.blockOf(open.id, content));
        }
        open = null;
      } else {
        result.push(child);
      }
    }
    if (open !== null) this.malformed(open.id, 'the closing comment <!-- /decision --> is missing');
    return result;
  }

  private blockOf(id: string, content: RootContent[]): RootContent[] {
    const parsed = parseBlock(id, content);
    if (typeof parsed === 'string') {
      this.malformed(id, parsed);
      return content;
    }
    if (this.usedIds.has(id)) {
      this.warnings.push({
        code: 'decision_duplicate',
        decisionId: id,
        message: `The decision id "${id}" is used by an earlier block. Give this block an id of its own.`,
      });
      return content;
    }
    this.usedIds.add(id);
    const index = this.found.push(parsed.block) - 1;
    if (parsed.question !== null) parsed.question.data = { hProperties: this.marks.of('question') };
    for (const item of parsed.list.children) item.data = { hProperties: this.marks.of('option') };
    const children = parsed.question === null ? [parsed.list] : [parsed.question, parsed.list];
    return [
      {
        type: 'decisionBlock',
        children,
        data: { hName: 'div', hProperties: this.marks.of('decision', index) },
      } as unknown as RootContent,
    ];
  }

  private malformed(id: string | null, why: string): void {
    const shown = id === null ? null : id.slice(0, 80);
    this.warnings.push({
      code: 'decision_malformed',
      decisionId: shown,
      message: `${shown === null ? 'A decision block' : `The decision block "${shown}"`} is shown as plain text: ${why}.`,
    });
  }
}

interface ParsedBlock {
  readonly block: DecisionBlock;
  readonly question: Paragraph | null;
  readonly list: List;
}

/** The block, or what is wrong with it. Removes markers and badges from the labels only when it is well-formed. */
function parseBlock(id: string, content: readonly RootContent[]): ParsedBlock | string {
  if (!ID.test(id)) {
    return 'an id has 1 to 64 characters of a-z, 0-9 and hyphens and begins with a letter or digit';
  }
  const [first] = content;
  const question = first?.type === 'paragraph' ? first : null;
  const rest = question === null ? content : content.slice(1);
  const [list] = rest;
  if (list === undefined) return 'it has no list of options';
  if (list.type !== 'list') return 'only one paragraph may stand before the list of options';
  if (rest.length > 1) return 'nothing may follow the list of options';
  const count = list.children.length;
  if (count > MAX_OPTIONS) return `it has ${count} options; at most ${MAX_OPTIONS} are allowed`;
  const items: { item: ListItem; paragraph: Paragraph }[] = [];
  for (const item of list.children) {
    const [paragraph] = item.children;
    if (item.children.length !== 1 || paragraph?.type !== 'paragraph') {
      return 'each option must be one paragraph without a nested list';
    }
    items.push({ item, paragraph });
  }
  const boxes = items.filter(({ item, paragraph }) => isBox(item, paragraph)).length;
  const rounds = items.filter(({ paragraph }) => startsWith(paragraph, /^\( \)(?:\s|$)/)).length;
  if (boxes + rounds > 0 && boxes !== count && rounds !== count) {
    return 'either every option or none begins with [ ] or ( )';
  }
  const type = boxes === count ? 'multiple' : 'single';
  if (
    items.some(
      ({ paragraph }) =>
        labelOf(paragraph)
          .replace(/^(?:\[[ xX]\]|\( \))/, '')
          .trim() === '',
    )
  ) {
    return 'an option has no text';
  }
  for (const { item, paragraph } of items) {
    item.checked = null;
    if (rounds === count) cutStart(paragraph, /^\( \)\s*/);
    else if (boxes === count) cutStart(paragraph, /^\[[ xX]\]\s+/);
  }
  return {
    block: { id, type, question: question === null ? '' : labelOf(question), options: optionsOf(items) },
    question,
    list,
  };
}

function isBox(item: ListItem, paragraph: Paragraph): boolean {
  return (item.checked !== null && item.checked !== undefined) || startsWith(paragraph, /^\[[ xX]\](?:\s|$)/);
}

function optionsOf(items: readonly { paragraph: Paragraph }[]): DecisionOption[] {
  const strengths = items.map(({ paragraph }) => strengthOf(paragraph));
  const isSole = strengths.filter((strength) => strength !== null).length === 1;
  return items.map(({ paragraph }, index) => {
    const recommended = isSole ? (strengths[index] ?? null) : null;
    if (recommended !== null) cutEnd(paragraph);
    return { label: labelOf(paragraph), recommended };
  });
}

function strengthOf(paragraph: Paragraph): RecommendationStrength | null {
  const last = paragraph.children.at(-1);
  const match = last?.type === 'text' ? RECOMMENDED.exec(last.value) : null;
  if (match === null || labelOf(paragraph).replace(RECOMMENDED, '').trim() === '') return null;
  return match[1]!.toLowerCase() as RecommendationStrength;
}

function labelOf(paragraph: Paragraph): string {
  return plainTextOf(paragraph, { includeHtml: false }).replace(/\s+/g, ' ').trim();
}

function startsWith(paragraph: Paragraph, pattern: RegExp): boolean {
  const [first] = paragraph.children;
  return first?.type === 'text' && pattern.test(first.value);
}

function cutStart(paragraph: Paragraph, pattern: RegExp): void {
  const [first] = paragraph.children;
  if (first?.type === 'text') first.value = first.value.replace(pattern, '');
}

function cutEnd(paragraph: Paragraph): void {
  const last = paragraph.children.at(-1);
  if (last?.type === 'text') last.value = last.value.replace(RECOMMENDED, '');
}
