import { Parser } from 'acorn';
import acornJsx from 'acorn-jsx';

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

// biome-ignore lint/suspicious/noExplicitAny: acorn-jsx adds nodes that the types of acorn do not know
function parsed(source: string): any {
  return JsxParser.parse(source, {
    ecmaVersion: 2022,
    sourceType: 'script',
    allowReturnOutsideFunction: true,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function rewritten(source: string, node: any): string {
  let text = '';
  let at = node.start as number;
  for (const jsx of outermost(node)) {
    text += source.slice(at, jsx.start) + element(source, jsx);
    at = jsx.end;
  }
  return text + source.slice(at, node.end);
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function outermost(node: any): any[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(outermost);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return [node];
  return Object.entries(node)
    .filter(([key]) => key !== 'loc')
    .flatMap(([, value]) => outermost(value))
    .sort((a, b) => a.start - b.start);
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function element(source: string, node: any): string {
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

// biome-ignore lint/suspicious/noExplicitAny: as above
function typeOf(source: string, name: any): string {
  const text = source.slice(name.start, name.end);
  return name.type === 'JSXIdentifier' && /^[a-z]/.test(text) ? JSON.stringify(text) : text;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function prop(source: string, attribute: any): string {
  if (attribute.type === 'JSXSpreadAttribute') return `...${rewritten(source, attribute.argument)}`;
  const name = JSON.stringify(source.slice(attribute.name.start, attribute.name.end));
  const { value } = attribute;
  if (value === null) return `${name}: true`;
  if (value.type === 'Literal') return `${name}: ${JSON.stringify(value.value)}`;
  if (value.type === 'JSXExpressionContainer') return `${name}: ${rewritten(source, value.expression)}`;
  return `${name}: ${element(source, value)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function child(source: string, node: any): string {
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
