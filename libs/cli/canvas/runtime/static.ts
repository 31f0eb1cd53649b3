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

// biome-ignore lint/suspicious/noExplicitAny: the global of the context
const context = globalThis as any;
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

class StillComponent {
  state: unknown = {};
  context: unknown = {};

  constructor(readonly props: Record<string, unknown>) {}

  setState(): void {}
  forceUpdate(): void {}
  render(): unknown {
    return null;
  }
}

const firstOf = (value: unknown): unknown => (typeof value === 'function' ? value() : value);
const nothing = (): void => {};
const contentOf = (props: { children?: unknown }): unknown => props.children;

/** As much of React as a first picture needs: states are their first value, effects do not run. */
const react = {
  createElement: h,
  Fragment: FRAGMENT,
  StrictMode: FRAGMENT,
  Suspense: FRAGMENT,
  Component: StillComponent,
  PureComponent: StillComponent,
  Children: {
    toArray: (value: unknown) => (Array.isArray(value) ? value : value === undefined ? [] : [value]),
    map: (value: unknown, make: (child: unknown, index: number) => unknown) =>
      (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(make),
    count: (value: unknown) => (Array.isArray(value) ? value.length : value === undefined ? 0 : 1),
  },
  isValidElement: isMade,
  cloneElement: (made: Made, props: object) => ({ ...made, props: { ...made.props, ...props } }),
  createRef: () => ({ current: null }),
  createContext: (value: unknown) => ({
    value,
    Provider: contentOf,
    // biome-ignore lint/correctness/noComponentHookFactories: drawn once, so nothing can be lost
    Consumer: (props: { children?: (given: unknown) => unknown }) => props.children?.(value),
  }),
  memo: (component: unknown) => component,
  forwardRef: (draw: (props: object, ref: unknown) => unknown) => (props: object) => draw(props, null),
  useState: (first: unknown) => [firstOf(first), nothing],
  useReducer: (_: unknown, first: unknown, start?: (value: unknown) => unknown) => [
    start ? start(first) : first,
    nothing,
  ],
  useRef: (current: unknown) => ({ current }),
  useMemo: (make: () => unknown) => make(),
  useCallback: (call: unknown) => call,
  useContext: (context: { value: unknown }) => context.value,
  useId: () => 'id',
  useEffect: nothing,
  useLayoutEffect: nothing,
  useInsertionEffect: nothing,
  useImperativeHandle: nothing,
  useDebugValue: nothing,
  useTransition: () => [false, firstOf],
  useDeferredValue: (value: unknown) => value,
  useSyncExternalStore: (_: unknown, now: () => unknown, still?: () => unknown) => (still ?? now)(),
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
  g: (name: string) => (props: Record<string, unknown>) => foreign(name, props),
};

/** A component of a script. What it cannot show here, the browser will; its content is there already. */
function foreign(name: string, props: Record<string, unknown>): unknown {
  try {
    const found = name.split('.').reduce((holder, key) => holder?.[key], context);
    // As text, so that a failure inside of it shows now.
    if (typeof found === 'function') return { markup: html(h(found, props)) };
  } catch {
    // the place is held below
  }
  return h('div', { 'data-x-import': name }, props.children);
}

function isMade(value: unknown): value is Made {
  return value !== null && typeof value === 'object' && (value as Made).made === true;
}

/** Only this file makes these; a canvas that did would change nothing but its own page. */
function isMarkup(value: unknown): value is { readonly markup: string } {
  const { markup } = (value ?? {}) as { markup?: unknown };
  return typeof value === 'object' && typeof markup === 'string' && !isMade(value);
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
  if (isMarkup(node)) return node.markup;
  if (!isMade(node)) return escaped(String(node));
  const { type, props, children } = node;
  if (typeof type === 'function') {
    const inner = children.length === 0 ? {} : { children: children.length === 1 ? children[0] : children };
    const component = type as ((given: object) => unknown) & { prototype?: { render?: unknown } };
    const given = { ...props, ...inner };
    if (typeof component.prototype?.render !== 'function') return html(component(given));
    return html(new (type as new (given: object) => { render(): unknown })(given).render());
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

context.React = react;
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
