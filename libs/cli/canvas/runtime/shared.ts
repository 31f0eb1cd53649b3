// What the pages of compiled canvases need, in the browser and for the first render alike. No `eval`, no network.

/** Style of an element: a text becomes an object with React's names. */
export function styleOf(value: unknown): Record<string, string> | undefined {
  if (value === null || value === undefined || value === false || value === '') return undefined;
  if (typeof value === 'object') return value as Record<string, string>;
  const style: Record<string, string> = {};
  for (const [name, text] of declarations(String(value))) style[camelName(name)] = text;
  return style;
}

/** `name: value` pairs of a CSS text; semicolons in quotes and brackets do not end one. */
export function declarations(css: string): [string, string][] {
  const found: [string, string][] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  const end = (at: number) => {
    const part = css.slice(start, at);
    const colon = part.indexOf(':');
    if (colon > 0) found.push([part.slice(0, colon).trim(), part.slice(colon + 1).trim()]);
    start = at + 1;
  };
  for (let at = 0; at < css.length; at += 1) {
    const sign = css[at]!;
    if (quote) {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === ';' && depth <= 0) end(at);
  }
  end(css.length);
  return found.filter(([name, value]) => name !== '' && value !== '');
}

function camelName(name: string): string {
  if (name.startsWith('--')) return name;
  return name
    .toLowerCase()
    .replace(/^-ms-/, 'ms-')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Pixels are meant by a bare number of any property but these. */
const UNITLESS =
  /^(animationIterationCount|aspectRatio|borderImage(Outset|Slice|Width)|column(s|Count)|fillOpacity|flex|flexGrow|flexShrink|floodOpacity|fontWeight|gridArea|grid(Row|Column)(Start|End)?|lineClamp|lineHeight|opacity|order|orphans|scale|stopOpacity|stroke(Dasharray|Dashoffset|Miterlimit|Opacity|Width)|tabSize|widows|zIndex|zoom)$/;

/** CSS text of a style object. */
export function cssOf(style: unknown): string {
  if (typeof style === 'string') return style;
  return Object.entries((style ?? {}) as Record<string, unknown>)
    .filter(
      ([, value]) => value !== null && value !== undefined && typeof value !== 'boolean' && value !== '',
    )
    .map(([name, value]) => {
      const bare = typeof value === 'number' && value !== 0 && !name.startsWith('--') && !UNITLESS.test(name);
      return `${hyphenName(name)}:${String(value).trim()}${bare ? 'px' : ''}`;
    })
    .join(';');
}

function hyphenName(name: string): string {
  if (name.startsWith('--')) return name;
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^(ms|webkit|moz)-/, '-$1-');
}

/** Class and rule of a style that holds only in a state. Styles of the element itself are weaker. */
export function pseudoRule(state: string, value: unknown): { name: string; rule: string } | null {
  const css = cssOf(value);
  if (css === '') return null;
  const body = declarations(css)
    .map(([name, text]) => `${name}:${/!important$/.test(text) ? text : `${text} !important`}`)
    .join(';');
  const name = `dc-${hash(`${state}|${body}`)}`;
  return { name, rule: `.${name}:${state}{${body}}` };
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value.toString(36);
}

/** A link to a canvas leads to its page. */
export function addressOf(value: unknown): unknown {
  if (typeof value !== 'string' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(value)) return value;
  return value.replace(/\.dc\.html(?=$|[?#])/i, '.html');
}

/** Text inside of an attribute; an object can only be meant as a style. */
export function wordOf(value: unknown): string {
  if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return cssOf(value);
  }
  return value === null || value === undefined || value === false ? '' : String(value);
}

/** The list of a loop; a number is that many turns, and what is no list has none. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'number' && value > 0)
    return Array.from({ length: Math.floor(value) }, (_, index) => index);
  const iterable = value !== null && typeof value === 'object' && Symbol.iterator in value;
  return iterable ? [...(value as Iterable<unknown>)] : [];
}

export function joined(...classes: unknown[]): string | undefined {
  return classes.filter(Boolean).join(' ') || undefined;
}

/** Values of the logic class over those that the page got. */
export function valuesOf(logic: Logic): Record<string, unknown> {
  return { ...logic.props, ...(logic.renderVals() ?? {}) };
}

type Patch = object | ((state: object, props: object) => object | null) | null;

/** What the logic classes of canvases extend. */
export class Logic {
  props: Record<string, unknown>;
  state: Record<string, unknown> = {};
  /** Draws the page again; the one who shows it sets it. */
  redraw: ((then?: () => void) => void) | null = null;

  constructor(props: Record<string, unknown>) {
    this.props = props ?? {};
  }

  renderVals(): Record<string, unknown> {
    return {};
  }

  setState(patch: Patch, then?: () => void): void {
    const change = typeof patch === 'function' ? patch(this.state, this.props) : patch;
    if (change === null || change === undefined) return;
    this.state = { ...this.state, ...change };
    if (this.redraw) this.redraw(then);
  }

  forceUpdate(then?: () => void): void {
    if (this.redraw) this.redraw(then);
  }
}

/** Calls the first of these hooks that the class has. */
export function hook(logic: Logic, names: readonly string[], ...given: unknown[]): void {
  const known = logic as unknown as Record<string, unknown>;
  for (const name of names) {
    if (typeof known[name] === 'function') {
      (known[name] as (...values: unknown[]) => void).apply(logic, given);
      return;
    }
  }
}

export const MOUNT = ['componentDidMount', 'onMount', 'didMount', 'mounted'];
export const UPDATE = ['componentDidUpdate', 'onUpdate', 'didUpdate'];
export const UNMOUNT = ['componentWillUnmount', 'onUnmount', 'willUnmount', 'unmounted'];

/** One canvas as the compiler writes it down. */
export interface Definition {
  readonly name: string;
  readonly defaults: Record<string, unknown>;
  /** Makes the logic class, from the base class and React. */
  readonly logic: ((base: typeof Logic, react: unknown) => typeof Logic | undefined) | null;
  readonly render: (runtime: object, values: object, forced?: Record<number, boolean>) => unknown;
}

export function logicClass(definition: Definition, react: unknown): typeof Logic {
  return definition.logic?.(Logic, react) ?? Logic;
}

/** What was given, and the defaults for what was not. */
export function withDefaults(
  definition: Definition,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...definition.defaults, ...Object.fromEntries(set) };
}

/** Is a branch drawn? A forced one does not ask. */
export function condition(
  forced: Record<number, boolean> | undefined,
  branch: number,
  value: unknown,
): boolean {
  return forced?.[branch] ?? Boolean(value);
}
