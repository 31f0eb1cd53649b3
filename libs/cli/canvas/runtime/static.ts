// The first render of a canvas, as text. Runs in a context of its own that holds nothing of the machine.
import {
  addressOf,
  condition,
  cssOf,
  type Definition,
  joined,
  listOf,
  logicClass,
  pseudoRule,
  styleOf,
  valuesOf,
  withDefaults,
  wordOf,
} from './shared.js';

interface Made {
  readonly made: true;
  readonly type: unknown;
  readonly props: Record<string, unknown>;
  readonly children: readonly unknown[];
}

const FRAGMENT = 'fragment of a canvas';
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const NAMES: Readonly<Record<string, string>> = {
  className: 'class',
  htmlFor: 'for',
  defaultValue: 'value',
  defaultChecked: 'checked',
};
/** SVG is one of the few places where the case of a name says something. */
const LOWERED =
  /^(autoFocus|autoPlay|contentEditable|crossOrigin|maxLength|minLength|noValidate|playsInline|readOnly|spellCheck|srcSet|tabIndex|colSpan|rowSpan)$/;

const definitions = new Map<string, Definition>();
const rules = new Set<string>();

function h(type: unknown, props: Record<string, unknown> | null, ...children: unknown[]): Made {
  return { made: true, type, props: props ?? {}, children };
}

/** As much of React as logic classes use when they make elements themselves. */
const react = {
  createElement: h,
  Fragment: FRAGMENT,
  createRef: () => ({ current: null }),
  isValidElement: isMade,
  Children: { toArray: (value: unknown) => (Array.isArray(value) ? value : [value]) },
};

const runtime = {
  h,
  F: FRAGMENT,
  a: addressOf,
  c: condition,
  j: joined,
  l: listOf,
  s: styleOf,
  x: wordOf,
  t: (value: unknown) => value,
  y: (state: string, value: unknown) => {
    const made = pseudoRule(state, value);
    if (made) rules.add(made.rule);
    return made?.name;
  },
  p: (name: string) => (props: Record<string, unknown>) => draw(definitions.get(name)!, props),
  /** Runs in the browser only. */
  g: (name: string) => () => h('div', { 'data-x-import': name }),
};

function isMade(value: unknown): value is Made {
  return value !== null && typeof value === 'object' && (value as Made).made === true;
}

function draw(
  definition: Definition,
  props: Record<string, unknown>,
  forced?: Record<number, boolean>,
): unknown {
  const Class = logicClass(definition, react);
  const given = withDefaults(definition, props);
  const logic = new Class(given);
  logic.props = given;
  return definition.render(runtime, valuesOf(logic), forced);
}

function html(node: unknown): string {
  if (Array.isArray(node)) return node.map(html).join('');
  if (node === null || node === undefined || typeof node === 'boolean' || typeof node === 'function')
    return '';
  if (!isMade(node)) return escaped(String(node));
  const { type, props, children } = node;
  if (typeof type === 'function') {
    const inner = children.length === 0 ? {} : { children: children.length === 1 ? children[0] : children };
    const component = type as ((given: object) => unknown) & { prototype?: { render?: unknown } };
    if (component.prototype && typeof component.prototype.render === 'function') return '';
    return html(component({ ...props, ...inner }));
  }
  if (type === FRAGMENT || typeof type !== 'string')
    return html(children.length > 0 ? children : props.children);
  return element(type, props, children);
}

function element(tag: string, props: Record<string, unknown>, children: readonly unknown[]): string {
  const start = `<${tag}${attributes(tag, props)}>`;
  if (VOID.test(tag)) return start;
  const {
    dangerouslySetInnerHTML: raw,
    value,
    defaultValue,
  } = props as {
    dangerouslySetInnerHTML?: { __html?: unknown };
    value?: unknown;
    defaultValue?: unknown;
  };
  if (raw) return `${start}${String(raw.__html ?? '')}</${tag}>`;
  if (tag === 'textarea') return `${start}${escaped(wordOf(value ?? defaultValue))}</${tag}>`;
  if (tag === 'style') return `${start}${children.map(wordOf).join('')}</${tag}>`;
  const chosen = value ?? defaultValue;
  const inner = html(children.length > 0 ? children : props.children);
  if (tag !== 'select' || chosen === undefined) return `${start}${inner}</${tag}>`;
  const option = `value="${quoted(String(chosen))}"`;
  return `${start}${inner.replace(`<option ${option}`, `<option selected ${option}`)}</${tag}>`;
}

function attributes(tag: string, props: Record<string, unknown>): string {
  let text = '';
  for (const [key, value] of Object.entries(props)) {
    if (key === 'key' || key === 'ref' || key === 'children' || key === 'dangerouslySetInnerHTML') continue;
    if (typeof value === 'function' || typeof value === 'symbol' || /^on[A-Z]/.test(key)) continue;
    if ((key === 'value' || key === 'defaultValue') && (tag === 'textarea' || tag === 'select')) continue;
    const name = NAMES[key] ?? (LOWERED.test(key) ? key.toLowerCase() : key);
    if (key === 'style') {
      const css = cssOf(value);
      if (css) text += ` style="${quoted(css)}"`;
    } else if (value === true && !/^(aria|data)-/.test(name)) text += ` ${name}`;
    else if (value !== null && value !== undefined && (value !== false || /^(aria|data)-/.test(name))) {
      text += ` ${name}="${quoted(String(value))}"`;
    }
  }
  return text;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function quoted(text: string): string {
  return escaped(text).replace(/"/g, '&quot;');
}

// biome-ignore lint/suspicious/noExplicitAny: the global of the context
const context = globalThis as any;
context.LoupeCanvas = {
  define(definition: Definition): void {
    definitions.set(definition.name, definition);
  },
  mount(): void {},
  /** JSON of the first render: the page as it opens, and one for each screen. */
  first(name: string, screens: readonly Record<number, boolean>[]): string {
    const root = definitions.get(name)!;
    const pages = [undefined, ...screens].map((forced) => html(draw(root, {}, forced)));
    return JSON.stringify({ pages, rules: [...rules].sort() });
  },
};
