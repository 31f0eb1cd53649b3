import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compile } from 'tailwindcss';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { type BuildSource, readText } from './build-source.js';

const DIRECTIVE =
  /@(?:tailwind|apply|theme|utility|variant|custom-variant|source|reference|config|plugin)\b|@import\s+["']tailwindcss/;
const CONFIG = /^(?:.*\/)?(?:tailwind|postcss)\.config\.[cm]?[jt]s$/;
const SOURCES = /\.(?:[cm]?[jt]sx?|html?|mdx?)$/i;
const SHEETS: Readonly<Record<string, string>> = {
  tailwindcss: 'index.css',
  'tailwindcss/index.css': 'index.css',
  'tailwindcss/preflight': 'preflight.css',
  'tailwindcss/preflight.css': 'preflight.css',
  'tailwindcss/theme': 'theme.css',
  'tailwindcss/theme.css': 'theme.css',
  'tailwindcss/utilities': 'utilities.css',
  'tailwindcss/utilities.css': 'utilities.css',
};
const MOST_CANDIDATES = 100_000;

/** Compiles the directives of Tailwind with its default theme. No configuration of the artifact is run. */
export class TailwindStyles {
  private candidates: Promise<string[]> | null = null;
  readonly notes = new Set<string>();

  constructor(private readonly source: BuildSource) {
    const config = source.paths.find((path) => CONFIG.test(path));
    if (config !== undefined)
      this.notes.add(`${config} was ignored: a preview is built with the default theme of Tailwind.`);
  }

  /** The stylesheet as browsers read it; one without directives stays as it is. */
  async compiled(css: string, path: string): Promise<string> {
    if (!DIRECTIVE.test(css)) return css;
    const compiler = await compile(this.inThisEdition(css), {
      base: dirname(path),
      loadStylesheet: (id, base) => this.sheet(id, base),
      // Plugins and configurations are programs: they are left out, never run.
      loadModule: async (id, base) => {
        this.notes.add(`${id} was ignored: a preview runs no plugin or configuration of Tailwind.`);
        return { path: id, base, module: (() => undefined) as never };
      },
    });
    this.candidates ??= this.findCandidates();
    return compiler.build(await this.candidates);
  }

  /** Directives of the third edition in those of the fourth; `@config` is left out with a note. */
  private inThisEdition(css: string): string {
    return css
      .replace(/@tailwind\s+base\s*;/g, () =>
        ['theme', 'preflight'].map((name) => `@import "tailwindcss/${name}.css";`).join(''),
      )
      .replace(/@tailwind\s+(?:components|screens|variants)\s*;/g, '')
      .replace(/@config\s+["']([^"'\n]{1,300})["']\s*;/g, (_, name: string) => {
        this.notes.add(`${name} was ignored: a preview is built with the default theme of Tailwind.`);
        return '';
      });
  }

  private async sheet(id: string, base: string): Promise<{ path: string; base: string; content: string }> {
    const own = SHEETS[id];
    if (own !== undefined) {
      const path = join(tailwindFolder(), own);
      return { path, base: 'tailwindcss', content: await readFile(path, 'utf8') };
    }
    const path = base === 'tailwindcss' ? '' : join(base, id);
    if (path !== '' && this.source.has(path))
      return { path, base: dirname(path), content: this.inThisEdition(await readText(this.source, path)) };
    if (/^(?:https?:)?\/\//.test(id)) return { path: id, base, content: '' };
    throw new Error(`Cannot find "${id}" in a stylesheet.`);
  }

  /** Every word of the sources that may be a class; those that are none do no harm. */
  private async findCandidates(): Promise<string[]> {
    const found = new Set<string>();
    for (const path of this.source.paths) {
      if (!SOURCES.test(path) || CONFIG.test(path)) continue;
      const text = await readText(this.source, path);
      for (const split of [/[^\s"`]+/g, /[^\s"'`<>{}=;]+/g]) {
        for (const [word] of text.matchAll(split)) {
          if (word.length <= 200) found.add(word);
          if (found.size >= MOST_CANDIDATES) return [...found];
        }
      }
    }
    return [...found];
  }
}

function tailwindFolder(): string {
  return dirname(createRequire(join(applicationRoot, 'package.json')).resolve('tailwindcss/package.json'));
}
