import { type Expression, type Pattern, parse, type SpreadElement } from 'acorn';
import type { AcornNode } from './acorn-node.js';

/** Turns the text between `{{` and `}}` into JavaScript. Only looking, reckoning and calling is allowed. */
export class ExpressionRefused extends Error {}

const GLOBALS = new Set(
  'Array Boolean Date Infinity Intl JSON Math NaN Number Object String decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt undefined'.split(
    ' ',
  ),
);

type Any = Expression | SpreadElement | Pattern | { readonly type: string };

/**
 * @param names of loops and of functions around the expression; all others are looked up in `v`, the values of the page
 * @throws ExpressionRefused with what is wrong
 */
export function compileExpression(text: string, names: ReadonlySet<string>): string {
  let body: readonly { readonly type: string; readonly expression?: unknown }[];
  try {
    ({ body } = parse(`(${text}\n)`, { ecmaVersion: 2022 }) as never);
  } catch (error) {
    throw new ExpressionRefused((error as Error).message.replace(/ \(\d+:\d+\)$/, ''));
  }
  const [statement] = body;
  if (body.length !== 1 || statement?.type !== 'ExpressionStatement') {
    throw new ExpressionRefused('more than one expression');
  }
  return write(statement.expression, names);
}

function write(node: AcornNode, names: ReadonlySet<string>): string {
  const w = (child: Any) => write(child, names);
  switch (node.type as string) {
    case 'Identifier':
      return names.has(node.name) || GLOBALS.has(node.name)
        ? local(node.name)
        : `v[${JSON.stringify(node.name)}]`;
    case 'Literal':
      if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
      return node.bigint ? `${node.bigint}n` : JSON.stringify(node.value);
    case 'ThisExpression':
      return 'v';
    case 'TemplateLiteral':
      return `\`${node.quasis.map((quasi: { value: { raw: string } }, index: number) => quasi.value.raw + (node.expressions[index] ? `\${${w(node.expressions[index])}}` : '')).join('')}\``;
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return w(node.expression);
    case 'MemberExpression':
      // What is missing shows as nothing, as on the canvas.
      return `${w(node.object)}?.${node.computed ? `[${w(node.property)}]` : node.property.name}`;
    case 'CallExpression':
      return `${w(node.callee)}?.(${node.arguments.map(w).join(', ')})`;
    case 'UnaryExpression':
      if (node.operator === 'delete') throw new ExpressionRefused('`delete` changes something');
      return `(${node.operator} ${w(node.argument)})`;
    case 'BinaryExpression':
    case 'LogicalExpression':
      return `(${w(node.left)} ${node.operator} ${w(node.right)})`;
    case 'ConditionalExpression':
      return `(${w(node.test)} ? ${w(node.consequent)} : ${w(node.alternate)})`;
    case 'ArrayExpression':
      return `[${node.elements.map((element: Any | null) => (element ? w(element) : '')).join(', ')}]`;
    case 'SpreadElement':
      return `...${w(node.argument)}`;
    case 'ObjectExpression':
      return `({${node.properties.map((property: Any) => writeProperty(property, names)).join(', ')}})`;
    case 'ArrowFunctionExpression':
      return writeFunction(node, names);
    default:
      throw new ExpressionRefused(`${SPOKEN[node.type as string] ?? node.type} is not allowed here`);
  }
}

function writeProperty(property: AcornNode, names: ReadonlySet<string>): string {
  if (property.type === 'SpreadElement') return write(property, names);
  if (property.kind !== 'init' || property.method)
    throw new ExpressionRefused('a method is not allowed here');
  const key = property.computed
    ? `[${write(property.key, names)}]`
    : JSON.stringify(property.key.name ?? String(property.key.value));
  return `${key}: ${write(property.value, names)}`;
}

/** `(item) => pick(item.id)`: plain names and one expression. */
function writeFunction(node: AcornNode, names: ReadonlySet<string>): string {
  if (node.async || !node.expression || node.params.some(({ type }: Any) => type !== 'Identifier')) {
    throw new ExpressionRefused('a function here has plain names and one expression');
  }
  const params = node.params.map(({ name }: { name: string }) => name);
  return `((${params.map(local).join(', ')}) => ${write(node.body, new Set([...names, ...params]))})`;
}

/** Names of a page never meet those of the code around them. */
export function local(name: string): string {
  return GLOBALS.has(name) ? name : `_${name}`;
}

const SPOKEN: Readonly<Record<string, string>> = {
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'a change of a value',
  NewExpression: '`new`',
  FunctionExpression: 'a function with statements',
  ClassExpression: 'a class',
  ImportExpression: 'an import',
  AwaitExpression: '`await`',
  SequenceExpression: 'a list of expressions',
};
