import type { Declarations } from './figma-styles.js';

/** How the declarations of an element reach it. */
export interface WrittenStyle {
  readonly className?: string;
  readonly style?: string;
}

/** Gathers the styles of all elements in one of the forms that can be asked for. */
export abstract class StyleWriter {
  /** `name` says what the element is called in the design. */
  abstract write(name: string, declarations: Declarations): WrittenStyle;
  /** Text of the stylesheet; empty when none is needed. */
  abstract readonly css: string;
}

/** `inline_styles`: everything stands at the element. */
export class InlineStyles extends StyleWriter {
  override readonly css = '';

  override write(_name: string, declarations: Declarations): WrittenStyle {
    const style = declarationText(declarations);
    return style === '' ? {} : { style };
  }
}

/** A class for each look; elements that look alike share one. */
export class ClassStyles extends StyleWriter {
  private readonly classes = new Map<string, string>();
  private readonly taken = new Map<string, number>();
  private readonly names = new Set<string>();

  override write(name: string, declarations: Declarations): WrittenStyle {
    const text = declarationText(declarations);
    if (text === '') return {};
    let className = this.classes.get(text);
    if (!className) {
      const slug = slugOf(name, 'box');
      const count = (this.taken.get(slug) ?? 0) + 1;
      this.taken.set(slug, count);
      className = count === 1 ? slug : `${slug}-${count}`;
      // Two slugs with numbers can meet.
      while (this.names.has(className)) className = `${className}x`;
      this.names.add(className);
      this.classes.set(text, className);
    }
    return { className };
  }

  override get css(): string {
    return [...this.classes]
      .map(([text, name]) => `.${name} {\n  ${text.replaceAll('; ', ';\n  ')};\n}\n`)
      .join('\n');
  }
}

/** CSS modules: classes, but for addresses, which hold from the page and not from the stylesheet. */
export class ModuleStyles extends ClassStyles {
  override write(name: string, declarations: Declarations): WrittenStyle {
    const entries = Object.entries(declarations);
    const inline = Object.fromEntries(entries.filter(([, value]) => value.includes('url(')));
    const rest = Object.fromEntries(entries.filter(([, value]) => !value.includes('url(')));
    const style = declarationText(inline);
    return { ...super.write(name, rest), ...(style === '' ? {} : { style }) };
  }
}

/** `tailwind`: one utility of the form `[property:value]` a declaration, with the CSS that a build would make of them. */
export class UtilityStyles extends StyleWriter {
  private readonly utilities = new Map<string, string>();

  override write(_name: string, declarations: Declarations): WrittenStyle {
    const names = Object.entries(declarations).map(([property, value]) => {
      const utility = `[${property}:${value.replaceAll('_', '\\_').replaceAll(' ', '_')}]`;
      this.utilities.set(utility, `${property}: ${value}`);
      return utility;
    });
    return names.length === 0 ? {} : { className: names.join(' ') };
  }

  override get css(): string {
    return [...this.utilities]
      .map(([utility, declaration]) => `.${escapedClass(utility)} { ${declaration}; }\n`)
      .join('');
  }
}

export function writerFor(styling: string | null): StyleWriter {
  if (styling === 'inline_styles') return new InlineStyles();
  if (styling === 'css_modules') return new ModuleStyles();
  return styling === 'plain_css' ? new ClassStyles() : new UtilityStyles();
}

/** Letters, digits and hyphens of a name, for classes and files. */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return slug || fallback;
}

function declarationText(declarations: Declarations): string {
  return Object.entries(declarations)
    .map(([property, value]) => `${property}: ${value}`)
    .join('; ');
}

function escapedClass(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, (character) => `\\${character}`);
}
