import { Parser } from 'acorn';
import acornJsx from 'acorn-jsx';
import type { AcornNode } from './acorn-node.js';

const JsxParser = Parser.extend(acornJsx() as never);

/** Does a script need the reader of JSX? */
export function hasJsx(source: string): boolean {
  try {
    Parser.parse(source, { ecmaVersion: 2022, sourceType: 'script', allowReturnOutsideFunction: true });
    return false;
  } catch {
    try {
      parsed(source);
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * The same script with calls of `React.createElement` in place of JSX. Line breaks stay, so that errors name the right
 * line.
 * @throws SyntaxError of acorn, with `loc`
 */
export function withoutJsx(source: string): string {
  return rewritten(source, parsed(source));
}

function parsed(source: string): AcornNode {
  return JsxParser.parse(source, {
    ecmaVersion: 2022,
    sourceType: 'script',
    allowReturnOutsideFunction: true,
  });
}

function rewritten(source: string, node: AcornNode): string {
  let text = '';
  let at = node.start as number;
  for (const jsx of outermost(node)) {
    text += source.slice(at, jsx.start) + element(source, jsx);
    at = jsx.end;
  }
  return text + source.slice(at, node.end);
}

function outermost(node: AcornNode): AcornNode[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(outermost);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return [node];
  return Object.entries(node)
    .filter(([key]) => key !== 'loc')
    .flatMap(([, value]) => outermost(value))
    .sort((a, b) => a.start - b.start);
}

function element(source: string, node: AcornNode): string {
  const opening = node.openingElement;
  const type = opening ? typeOf(source, opening.name) : 'React.Fragment';
  const props =
    opening && opening.attributes.length > 0
      ? `{${opening.attributes.map((each: never) => prop(source, each)).join(', ')}}`
      : 'null';
  const children = node.children
    .map((each: never) => child(source, each))
    .filter((each: string) => each.trim() !== '');
  const made = `React.createElement(${[type, props, ...children].join(', ')})`;
  const breaks = count(source.slice(node.start, node.end)) - count(made);
  return made + '\n'.repeat(Math.max(0, breaks));
}

function count(text: string): number {
  return text.split('\n').length - 1;
}

function typeOf(source: string, name: AcornNode): string {
  const text = source.slice(name.start, name.end);
  return name.type === 'JSXIdentifier' && /^[a-z]/.test(text) ? JSON.stringify(text) : text;
}

function prop(source: string, attribute: AcornNode): string {
  if (attribute.type === 'JSXSpreadAttribute') return `...${rewritten(source, attribute.argument)}`;
  const name = JSON.stringify(source.slice(attribute.name.start, attribute.name.end));
  const { value } = attribute;
  if (value === null) return `${name}: true`;
  if (value.type === 'Literal') return `${name}: ${JSON.stringify(value.value)}`;
  if (value.type === 'JSXExpressionContainer') return `${name}: ${rewritten(source, value.expression)}`;
  return `${name}: ${element(source, value)}`;
}

function child(source: string, node: AcornNode): string {
  if (node.type === 'JSXText') {
    const lines = (node.value as string).split('\n');
    const kept = lines.map((line, index) => {
      const left = index === 0 ? line : line.replace(/^\s+/, '');
      return index === lines.length - 1 ? left : left.replace(/\s+$/, '');
    });
    const text = kept.filter((line) => line !== '').join(' ');
    return text === '' ? '' : JSON.stringify(text);
  }
  if (node.type === 'JSXExpressionContainer') {
    return node.expression.type === 'JSXEmptyExpression' ? '' : rewritten(source, node.expression);
  }
  if (node.type === 'JSXSpreadChild') return `...${rewritten(source, node.expression)}`;
  return element(source, node);
}
