// Shows compiled canvases in a browser: React from the package, and this adapter.
import * as React from 'react';
import * as ReactDOM from 'react-dom';
import { createRoot } from 'react-dom/client';
import {
  addressOf,
  condition,
  type Definition,
  hook,
  joined,
  type Logic,
  listOf,
  logicClass,
  MOUNT,
  pseudoRule,
  styleOf,
  UNMOUNT,
  UPDATE,
  valuesOf,
  withDefaults,
  wordOf,
} from './shared.js';

// biome-ignore lint/suspicious/noExplicitAny: the globals of a browser, which the checker of this folder does not know
const page = globalThis as any;
const definitions = new Map<string, Definition>();
const components = new Map<string, React.ComponentType>();
const foreign = new Map<string, React.ComponentType>();
const rules = new Set<string>();
let sheet: { textContent: string } | null = null;

const runtime = {
  h: React.createElement,
  F: React.Fragment,
  a: addressOf,
  c: condition,
  j: joined,
  l: listOf,
  s: styleOf,
  x: wordOf,
  t: shown,
  y: pseudoClass,
  p: partOf,
  g: foreignOf,
};

/** A value as content. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (value === null || value === undefined || typeof value === 'boolean') return null;
  if (typeof value !== 'object' || React.isValidElement(value))
    return typeof value === 'function' ? null : value;
  return String(value);
}

function pseudoClass(state: string, value: unknown): string | undefined {
  const made = pseudoRule(state, value);
  if (!made) return undefined;
  if (!rules.has(made.rule)) {
    rules.add(made.rule);
    if (!sheet) {
      sheet = page.document.createElement('style') as { textContent: string };
      page.document.head.appendChild(sheet);
    }
    sheet.textContent = [...rules].join('\n');
  }
  return made.name;
}

function partOf(name: string): React.ComponentType {
  let component = components.get(name);
  if (!component) {
    component = componentOf(definitions.get(name)!);
    components.set(name, component);
  }
  return component;
}

/** A component that a script of the page has left on the window. */
function foreignOf(name: string): React.ComponentType {
  let component = foreign.get(name);
  if (!component) {
    component = ((props: object) => {
      const found = name.split('.').reduce((holder, key) => holder?.[key], page);
      return found ? React.createElement(found, props) : null;
    }) as React.ComponentType;
    foreign.set(name, component);
  }
  return component;
}

function componentOf(definition: Definition): React.ComponentType {
  const Class = logicClass(definition, React);
  return class Canvas extends React.Component<Record<string, unknown>> {
    private readonly logic: Logic;

    constructor(props: Record<string, unknown>) {
      super(props);
      this.logic = new Class(withDefaults(definition, props));
      this.logic.props = withDefaults(definition, props);
    }

    override componentDidMount(): void {
      this.logic.redraw = (then) => this.forceUpdate(then);
      hook(this.logic, MOUNT);
    }

    override componentDidUpdate(before: Record<string, unknown>): void {
      hook(this.logic, UPDATE, before);
    }

    override componentWillUnmount(): void {
      hook(this.logic, UNMOUNT);
      this.logic.redraw = null;
    }

    override render(): React.ReactNode {
      this.logic.props = withDefaults(definition, this.props);
      return definition.render(runtime, valuesOf(this.logic)) as React.ReactNode;
    }
  } as unknown as React.ComponentType;
}

page.React = React;
page.ReactDOM = { ...ReactDOM, createRoot };
page.LoupeCanvas = {
  define(definition: Definition): void {
    definitions.set(definition.name, definition);
  },
  /** Takes the place of the first render that the page was stored with. */
  mount(name: string): void {
    const root = createRoot(page.document.getElementById('canvas-root'));
    ReactDOM.flushSync(() => root.render(React.createElement(partOf(name))));
  },
};
