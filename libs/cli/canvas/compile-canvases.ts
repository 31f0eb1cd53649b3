import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { bytesOf, madeFile, type PushFile } from '../push/push-file.js';
import { CanvasError, lineAt } from './canvas-error.js';
import { type CanvasSource, isCanvas, readCanvas } from './canvas-source.js';
import {
  FIRST_RENDER_LIMITS,
  type FirstRender,
  FirstRenderFailed,
  firstRender,
  type Limits,
  type Program,
} from './first-render.js';
import { withoutJsx } from './jsx.js';
import { pageFrame, stylesOf } from './page.js';
import { builtRuntime, type RuntimeTexts } from './runtime-texts.js';
import { dynamicImportLine } from './script-check.js';
import { type CompiledTemplate, TemplateCompiler } from './template.js';

const RUNTIME_PATH = 'assets/canvas-runtime.js';
/** What the canvas editor leaves beside its files, and no page needs. */
const EDITOR_FILES = /(^|\/)(\.thumbnails?(\/.*|\..*)?|\.design-canvas[^/]*|\.canvas-state[^/]*)$/;
const REMOTE = /^(?:https?:)?\/\//i;

export interface CompileOptions {
  readonly keepSource: boolean;
  /** What was pushed; beside a single file its parts are looked for. */
  readonly root: string;
  readonly runtime?: RuntimeTexts;
  readonly limits?: Limits;
}

export interface CompiledSet {
  readonly files: readonly PushFile[];
  readonly warnings: readonly string[];
}

interface Unit {
  readonly source: CanvasSource;
  readonly template: CompiledTemplate;
}

interface PageScript {
  /** Address in the page. */
  readonly src: string;
  readonly text: string | null;
  /** The push holds it already, or nobody can. */
  readonly stored: boolean;
}

/** Does a set of files hold a canvas? */
export async function isCanvasSet(files: readonly PushFile[]): Promise<boolean> {
  for (const file of files) {
    if (/\.html?$/i.test(file.path) && isCanvas((await bytesOf(file)).toString())) return true;
  }
  return false;
}

/** Every canvas as a plain page (`artifacts.md` 9.1); all other files stay. @throws CanvasError */
export async function compileCanvases(
  files: readonly PushFile[],
  options: CompileOptions,
): Promise<CompiledSet> {
  return new CanvasSet(files, options).compile();
}

class CanvasSet {
  private readonly units = new Map<string, Unit>();
  private readonly warnings: string[] = [];
  private readonly runtime: RuntimeTexts;
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly files: readonly PushFile[],
    private readonly options: CompileOptions,
  ) {
    this.runtime = options.runtime ?? builtRuntime;
  }

  async compile(): Promise<CompiledSet> {
    const canvases: PushFile[] = [];
    const others: PushFile[] = [];
    for (const file of this.files) {
      const text = /\.html?$/i.test(file.path) ? (await bytesOf(file)).toString() : '';
      if (isCanvas(text)) {
        canvases.push(file);
        this.texts.set(file.path, text);
      } else others.push(file);
    }
    const folders = new Set(canvases.map(({ path }) => posix.dirname(path)));
    const made: PushFile[] = [];
    const taken = new Set(others.map(({ path }) => path));
    for (const { path } of canvases) {
      for (const file of await this.page(this.unit(path))) {
        const same = made.find((each) => each.path === file.path);
        // Two pages may bring one script; two different files cannot share a name.
        if (taken.has(file.path) || (same && !(await equal(same, file)))) {
          throw new CanvasError(path, 1, `its page needs the name ${file.path}, which another file has`);
        }
        if (!same) made.push(file);
      }
    }
    const kept = others.filter(
      ({ path }) =>
        !EDITOR_FILES.test(path) &&
        !(posix.basename(path) === 'support.js' && folders.has(posix.dirname(path))),
    );
    if (this.options.keepSource)
      made.push(...canvases.map((file) => ({ ...file, path: `source/${file.path}` })));
    // One of an earlier push that was downloaded again gives way.
    const rest = kept.filter(({ path }) => path !== RUNTIME_PATH);
    made.push(madeFile(RUNTIME_PATH, this.runtime.browser));
    return {
      files: [...rest, ...made].sort((a, b) => (a.path < b.path ? -1 : 1)),
      warnings: [...new Set(this.warnings)],
    };
  }

  private unit(path: string): Unit {
    const known = this.units.get(path);
    if (known) return known;
    const source = readCanvas(path, this.texts.get(path)!);
    const template = new TemplateCompiler(path, source.text).compile(source.template);
    const unit = { source, template };
    this.units.set(path, unit);
    for (const { url, line } of template.remote) {
      this.warnings.push(`${path}:${line}: ${url} stays; without network it does not load`);
    }
    return unit;
  }

  private async page(unit: Unit): Promise<PushFile[]> {
    const { source, template } = unit;
    const parts = this.partsOf(unit, []);
    const units = [...parts, unit];
    const scripts = await this.scriptsOf(units);
    const foreign = scripts.flatMap(({ src, text }): Program[] =>
      text === null || !isSelfContained(text) ? [] : [{ text, filename: src, lineOffset: 0, optional: true }],
    );
    const programs = units.map(programOf);
    const screens = named(template);
    const rendered = await this.rendered(
      unit,
      [...foreign, ...programs],
      screens.map(({ forced }) => forced),
    );
    const styles = parts.flatMap((part) => stylesOf(part.source));
    const frame = pageFrame(source, styles);
    this.warnings.push(...frame.warnings);

    const folder = posix.dirname(source.path);
    const base = posix.join(folder, source.name);
    const runtime = posix.relative(folder, RUNTIME_PATH);
    const pageScript = `${programs.map(({ text }) => text).join('\n')}\nLoupeCanvas.mount(${JSON.stringify(source.name)});\n`;
    return [
      madeFile(
        `${base}.html`,
        frame.html(rendered.pages[0]!, rendered.rules, [
          runtime,
          ...scripts.map(({ src }) => src),
          `${encodeURIComponent(source.name)}.js`,
        ]),
      ),
      madeFile(`${base}.js`, pageScript),
      ...screens.map(({ slug }, index) =>
        madeFile(`${base}--${slug}.html`, frame.html(rendered.pages[index + 1]!, rendered.rules, [])),
      ),
      ...scripts.flatMap(({ src, text, stored }) =>
        stored || text === null ? [] : [madeFile(posix.join(folder, src), text)],
      ),
    ];
  }

  /** The canvases that a page shows as parts, innermost first. @throws CanvasError for a cycle or a missing one */
  private partsOf(unit: Unit, above: readonly string[]): Unit[] {
    const { path, name } = unit.source;
    const way = [...above, name];
    const found: Unit[] = [];
    for (const [part, line] of unit.template.parts) {
      if (way.includes(part)) {
        throw new CanvasError(path, line, `dc-import goes round in a circle: ${[...way, part].join(' → ')}`);
      }
      const next = this.sibling(path, part, line);
      for (const each of [...this.partsOf(next, way), next]) if (!found.includes(each)) found.push(each);
    }
    return found;
  }

  private sibling(path: string, name: string, line: number): Unit {
    const folder = posix.dirname(path);
    const names = [`${name}.dc.html`, `${name}.html`].map((file) => posix.join(folder, file));
    const known = names.find((each) => this.texts.has(each));
    if (known) return this.unit(known);
    // A canvas that is pushed alone finds its parts beside it.
    const [only] = this.files;
    if (this.files.length === 1 && only!.content.kind === 'disk' && /^[^/\\]+$/.test(name)) {
      const beside = join(dirname(only!.content.absolute), `${name}.dc.html`);
      if (existsSync(beside)) {
        this.texts.set(names[0]!, readFileSync(beside, 'utf8'));
        return this.unit(names[0]!);
      }
    }
    throw new CanvasError(path, line, `dc-import names "${name}", and there is no ${name}.dc.html beside it`);
  }

  /** Scripts whose components the page shows, in order, with what has to be stored for them. */
  private async scriptsOf(units: readonly Unit[]): Promise<PageScript[]> {
    const found = new Map<string, PageScript>();
    for (const { source, template } of units) {
      for (const [from, line] of template.scripts) {
        if (REMOTE.test(from)) {
          this.warnings.push(`${source.path}:${line}: ${from} stays; without network it does not load`);
          found.set(from, { src: from, text: null, stored: true });
          continue;
        }
        const path = posix.join(posix.dirname(source.path), from);
        const text = await this.scriptText(path);
        if (text === null)
          throw new CanvasError(source.path, line, `x-import names ${from}, which is not there`);
        const isJsx = /\.jsx$/i.test(from);
        const src = from.replace(/^\.\//, '').replace(/\.jsx$/i, '.js');
        const stored = !isJsx && this.files.some((file) => file.path === path);
        found.set(src, { src, text: isJsx ? this.transpiled(path, text) : text, stored });
      }
    }
    return [...found.values()];
  }

  private async scriptText(path: string): Promise<string | null> {
    const file = this.files.find((each) => each.path === path);
    if (file) return (await bytesOf(file)).toString();
    const [only] = this.files;
    if (this.files.length !== 1 || only!.content.kind !== 'disk') return null;
    const beside = join(dirname(only!.content.absolute), path);
    return !path.startsWith('..') && existsSync(beside) ? readFileSync(beside, 'utf8') : null;
  }

  private transpiled(path: string, text: string): string {
    try {
      return withoutJsx(text);
    } catch (error) {
      const { loc, message } = error as { loc?: { line: number }; message: string };
      throw new CanvasError(path, loc?.line ?? 1, message.replace(/ \(\d+:\d+\)$/, ''));
    }
  }

  private async rendered(
    { source }: Unit,
    programs: readonly Program[],
    screens: readonly Readonly<Record<number, boolean>>[],
  ): Promise<FirstRender> {
    try {
      return await firstRender(
        this.runtime.renderer,
        programs,
        source.name,
        screens,
        this.options.limits ?? FIRST_RENDER_LIMITS,
      );
    } catch (error) {
      if (!(error instanceof FirstRenderFailed)) throw error;
      throw new CanvasError(
        error.file ?? source.path,
        error.line ?? renderLine(source),
        `renderVals failed: ${error.message}`,
      );
    }
  }
}

/** May a script run for the first render? */
function isSelfContained(text: string): boolean {
  try {
    return dynamicImportLine(text) === null;
  } catch {
    return false;
  }
}

async function equal(one: PushFile, other: PushFile): Promise<boolean> {
  return (await bytesOf(one)).equals(await bytesOf(other));
}

/** Where `renderVals` begins, for errors that name no place. */
function renderLine({ logic }: CanvasSource): number {
  if (!logic) return 1;
  return logic.line + lineAt(logic.code, Math.max(0, logic.code.search(/\brenderVals\s*\(/))) - 1;
}

/** The canvas as a script. The logic comes first and on the first line, so that the lines of errors can be found. */
function programOf({ source, template }: Unit): Program {
  const { name, logic, defaults, path } = source;
  const made = logic
    ? `function (DCLogic, React) {${logic.code}\n;return typeof Component === 'undefined' ? undefined : Component;}`
    : 'null';
  const text = `LoupeCanvas.define({logic: ${made}, name: ${JSON.stringify(name)}, defaults: ${JSON.stringify(defaults)}, render: ${template.code}});`;
  return { text, filename: path, lineOffset: logic ? logic.line - 1 : 0 };
}

/** Screens with a name for their page; a second one of the same name gets a number. */
function named({ screens }: CompiledTemplate) {
  const used = new Map<string, number>();
  return screens.map(({ label, forced }) => {
    const slug = slugOf(label);
    const times = (used.get(slug) ?? 0) + 1;
    used.set(slug, times);
    return { forced, slug: times === 1 ? slug : `${slug}-${times}` };
  });
}

function slugOf(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain || 'screen';
}
