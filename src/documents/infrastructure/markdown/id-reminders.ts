import type { Element, ElementContent, Root, Text } from 'hast';
import { readPlainText } from '#libs/anchoring/plain-text.js';
import { hastTree } from './hast-tree.js';

const DEFINED = /^([A-Z]{1,4}\d{1,4})(?=$|[\s:.,;)\u2013\u2014-])/;
const MENTION = /(?<![\p{L}\p{N}\p{M}_-])[A-Z]{1,4}\d{1,4}(?![\p{L}\p{N}\p{M}_])/gu;
const AFTER_ID = /^[\s:.,;)\u2013\u2014-]+/;
const FIRST_SENTENCE = /^[\s\S]*?[.!?\u3002](?=\s|$)/;
const MAX_REMINDER = 300;
const HOLDERS: ReadonlySet<string> = new Set(['li', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const QUIET: ReadonlySet<string> = new Set(['a', 'code', 'pre', 'kbd', 'samp']);

interface Reminder {
  readonly target: string;
  readonly sentence: string;
  readonly term: Element;
}

/**
 * Lets every bare mention of an ID that the text itself defines jump to its definition and show its
 * first sentence. The characters of the text stay as they are.
 */
export function linkIdReminders(root: Root): void {
  const reminders = new Map<string, Reminder>();
  define(root.children as ElementContent[], reminders);
  if (reminders.size > 0) root.children = link(root.children as ElementContent[], reminders);
}

function define(nodes: readonly ElementContent[], reminders: Map<string, Reminder>): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    if (HOLDERS.has(node.tagName)) {
      const term = leadingTerm(node);
      const id = term === null ? undefined : DEFINED.exec(textOf(term).trim())?.[1];
      if (term !== null && id !== undefined && !reminders.has(id)) {
        const target = typeof node.properties.id === 'string' ? node.properties.id : `reminder-${id}`;
        node.properties.id = target;
        reminders.set(id, { target, sentence: firstSentence(node, id), term });
      }
    }
    define(node.children, reminders);
  }
}

/** The bold words at the very start of a block, of its first paragraph for a list entry. */
function leadingTerm(block: Element): Element | null {
  for (const child of block.children) {
    if (child.type === 'text') {
      if (child.value.trim() !== '') return null;
    } else if (child.type === 'element' && child.properties.dataNoAnchor === undefined) {
      if (child.tagName === 'strong' || child.tagName === 'b') return child;
      return child.tagName === 'p' && block.tagName === 'li' ? leadingTerm(child) : null;
    }
  }
  return null;
}

function firstSentence(block: Element, id: string): string {
  const line = readPlainText(block, hastTree).text.split('\n', 1)[0] ?? '';
  const rest = line.slice(line.indexOf(id) + id.length).replace(AFTER_ID, '');
  // A title such as "H4 — Whole or nothing." alone says little, but it is the first sentence.
  const sentence = FIRST_SENTENCE.exec(rest)?.[0] ?? rest;
  const characters = [...sentence];
  return characters.length > MAX_REMINDER ? `${characters.slice(0, MAX_REMINDER - 1).join('')}…` : sentence;
}

function link(nodes: readonly ElementContent[], reminders: ReadonlyMap<string, Reminder>): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of nodes) {
    if (node.type === 'text') result.push(...linkText(node, reminders));
    else {
      if (node.type === 'element' && !isQuiet(node, reminders))
        node.children = link(node.children, reminders);
      result.push(node);
    }
  }
  return result;
}

function isQuiet(node: Element, reminders: ReadonlyMap<string, Reminder>): boolean {
  if (QUIET.has(node.tagName) || node.properties.dataNoAnchor !== undefined || node.tagName === 'label')
    return true;
  if (node.tagName !== 'strong' && node.tagName !== 'b') return false;
  const id = DEFINED.exec(textOf(node).trim())?.[1];
  return id !== undefined && reminders.get(id)?.term === node;
}

function linkText(node: Text, reminders: ReadonlyMap<string, Reminder>): ElementContent[] {
  const result: ElementContent[] = [];
  let at = 0;
  for (const match of node.value.matchAll(MENTION)) {
    const reminder = reminders.get(match[0]);
    if (reminder === undefined) continue;
    if (match.index > at) result.push({ type: 'text', value: node.value.slice(at, match.index) });
    result.push({
      type: 'element',
      tagName: 'a',
      properties: { className: ['id-ref'], href: `#${reminder.target}`, title: reminder.sentence },
      children: [{ type: 'text', value: match[0] }],
    });
    at = match.index + match[0].length;
  }
  if (at === 0) return [node];
  if (at < node.value.length) result.push({ type: 'text', value: node.value.slice(at) });
  return result;
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
