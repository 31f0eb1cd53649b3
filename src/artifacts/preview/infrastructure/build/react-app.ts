import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { build, type Loader, type Message, type Metafile, type Plugin } from 'esbuild';
import { applicationRoot } from '#libs/configuration/application-root.js';
import type { BuildResult, BuiltFile } from '../../application/ports/preview-builder.js';
import { htmlPieces } from '../../domain/html-tags.js';
import { BuildFailure, type BuildSource, readText } from './build-source.js';
import { TailwindStyles } from './tailwind-styles.js';

const FOLDER = 'preview-build';
const PAGES = ['index.html', 'public/index.html'];
const CODE = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.mts', '.cts'];
const TRIED = ['', ...CODE, '.json', '.css', ...CODE.map((end) => `/index${end}`)];
const STARTS = ['src/main', 'src/index', 'main', 'index'].flatMap((name) => CODE.map((end) => name + end));
const ROOTS = ['src/App', 'App', 'src/app'].flatMap((name) => CODE.map((end) => name + end));
const FINISHED = ['dist/', 'build/'];
const START = 'loupe:start';
const ENTRY = 'loupe-entry:';
const MODULES = realpathSync(join(applicationRoot, 'node_modules')) + sep;
const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'jsx',
  '.jsx': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.json': 'json',
  '.css': 'css',
  '.txt': 'text',
  '.md': 'text',
};
const EMPTY_PAGE =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Preview</title>\n</head>\n<body>\n<div id="root"></div>\n</body>\n</html>\n';

/**
 * Bundles a React app from its files in memory. Nothing of the artifact runs: no install, no script of `package.json`,
 * no configuration. Where that fails and a folder with a finished build is there, the folder is shown.
 * @param modules names of packages that it may import, all shipped with the server
 */
export async function buildReact(source: BuildSource, modules: readonly string[]): Promise<BuildResult> {
  try {
    return await bundle(source, modules);
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    const root = FINISHED.find((folder) => source.has(`${folder}index.html`));
    if (root === undefined) return { state: 'failed', error: error.message };
    return {
      state: 'ready',
      root,
      entryPath: 'index.html',
      files: [],
      notes: [`${root} is shown, because the sources do not build: ${error.message}`],
    };
  }
}

async function bundle(source: BuildSource, modules: readonly string[]): Promise<BuildResult> {
  const pagePath = PAGES.find((path) => source.has(path)) ?? null;
  const page = (pagePath === null ? EMPTY_PAGE : await readText(source, pagePath)).replaceAll(
    '%PUBLIC_URL%',
    '',
  );
  const references = referencesOf(page, pagePath ?? 'index.html', source);
  const start = references.some(({ kind }) => kind === 'script') ? null : startOf(source);
  const entries = [...new Set(references.map(({ path }) => path)), ...(start === null ? [] : [start])];
  if (!references.some(({ kind }) => kind === 'script') && start === null) {
    throw new BuildFailure(`Nothing to build: no ${STARTS[0]} and no script of this version in index.html.`);
  }
  const tailwind = new TailwindStyles(source);
  const { files, metafile } = await run(source, modules, entries, tailwind);
  const built = outputsOf(metafile);
  const sheets = files.map(({ path }) => path).filter((path) => path.endsWith('.css'));
  return {
    state: 'ready',
    root: '',
    entryPath: 'index.html',
    files: [
      {
        path: 'index.html',
        contentType: 'text/html',
        content: Buffer.from(linked(page, references, start, built, sheets)),
      },
      ...files,
    ],
    notes: [...tailwind.notes],
  };
}

/** A script or stylesheet of the page that the build takes over; offsets are in the page. */
interface Reference {
  readonly kind: 'script' | 'style';
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

function referencesOf(page: string, pagePath: string, source: BuildSource): Reference[] {
  const found: Reference[] = [];
  for (const piece of htmlPieces(page)) {
    if (piece.kind !== 'tag') continue;
    const attribute = (name: string) => piece.attributes.find((one) => one.name === name);
    const isScript = piece.name === 'script' && attribute('type')?.value === 'module';
    const isStyle = piece.name === 'link' && attribute('rel')?.value.toLowerCase() === 'stylesheet';
    const address = attribute(isScript ? 'src' : 'href');
    if (!(isScript || isStyle) || address === undefined) continue;
    const path = localPath(address.value.split(/[?#]/, 1)[0]!, pagePath, source);
    if (path === null) continue;
    found.push({ kind: isScript ? 'script' : 'style', path, start: address.start, end: address.end });
  }
  return found;
}

/** The bundle, or a small program that shows the component `App`. */
function startOf(source: BuildSource): string | null {
  const start = STARTS.find((path) => source.has(path));
  if (start !== undefined) return start;
  return ROOTS.some((path) => source.has(path)) ? START : null;
}

async function run(
  source: BuildSource,
  modules: readonly string[],
  entries: readonly string[],
  tailwind: TailwindStyles,
): Promise<{ files: BuiltFile[]; metafile: Metafile }> {
  try {
    const result = await build({
      // Names that no file on a disk has: the bundler prefers real files, and the sources of the server are such.
      entryPoints: entries.map((path, index) => ({ in: `${ENTRY}${index}`, out: nameOf(path) })),
      bundle: true,
      write: false,
      metafile: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      minify: true,
      legalComments: 'none',
      logLevel: 'silent',
      absWorkingDir: applicationRoot,
      outdir: `/${FOLDER}`,
      entryNames: '[name]-[hash]',
      chunkNames: 'chunk-[hash]',
      tsconfigRaw: '{}',
      define: {
        'process.env.NODE_ENV': '"production"',
        'process.env': '{}',
        'import.meta.env': '{"MODE":"production","BASE_URL":"./","PROD":true,"DEV":false,"SSR":false}',
      },
      plugins: [filesOf(source, modules, entries, tailwind)],
    });
    const files = result.outputFiles.map(({ path, contents }) => ({
      path: path.slice(path.indexOf(`${FOLDER}/`)),
      contentType: path.endsWith('.css') ? 'text/css' : 'text/javascript',
      content: contents,
    }));
    return { files, metafile: result.metafile };
  } catch (error) {
    const { errors } = error as { errors?: Message[] };
    if (!Array.isArray(errors) || errors.length === 0) throw error;
    throw new BuildFailure(errors.slice(0, 5).map(sentenceOf).join('\n'));
  }
}

/** Name of the built file, before its hash. */
function nameOf(path: string): string {
  const name = path === START ? 'start' : posix.basename(path, posix.extname(path));
  return name.replace(/[^\w.-]/g, '_');
}

function sentenceOf({ text, location, detail }: Message): string {
  if (detail instanceof BuildFailure) return detail.message;
  if (location === null) return text;
  return `${location.file.replace(/^artifact:/, '')}:${location.line}: ${text}`;
}

const ASKED = Symbol('resolved by the server');

/** The only files that the build sees: those of the version, and inside the shipped modules. */
function filesOf(
  source: BuildSource,
  modules: readonly string[],
  entries: readonly string[],
  tailwind: TailwindStyles,
): Plugin {
  return {
    name: 'artifact',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, async ({ path, importer, namespace, kind, pluginData }) => {
        if (pluginData === ASKED) return undefined;
        if (kind === 'entry-point')
          return { path: entries[Number(path.slice(ENTRY.length))]!, namespace: 'artifact' };
        // One shipped module asks for another.
        if (namespace === 'file' && importer.startsWith(MODULES)) return undefined;
        if (/^(?:https?:)?\/\/|^data:|^blob:|^#/.test(path)) {
          if (kind === 'url-token' || kind === 'import-rule') return { path, external: true };
          throw new BuildFailure(`Cannot load "${path}" in ${importer}: a preview is built without network.`);
        }
        const bare = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(path)?.[0];
        const local = localPath(path, importer === START ? 'index.html' : importer, source);
        if (
          local !== null &&
          (/^(?:\.{0,2}\/|@\/|~\/)/.test(path) || kind === 'url-token' || kind === 'import-rule')
        )
          return { path: local, namespace: 'artifact' };
        // Addresses of files that are copied beside the page; the preview finds them there.
        if (kind === 'url-token') return { path, external: true };
        if (bare === undefined || /(?:^|\/)\.{1,2}(?:\/|$)/.test(path))
          throw new BuildFailure(`Cannot find "${path}" in ${importer}.`);
        if (!modules.includes(bare)) throw unknownModule(bare, importer, modules);
        const shipped = await builder.resolve(path, {
          kind,
          resolveDir: applicationRoot,
          pluginData: ASKED,
        });
        if (shipped.errors.length > 0) throw unknownModule(path, importer, modules);
        return { path: shipped.path, namespace: 'file', sideEffects: shipped.sideEffects };
      });
      builder.onLoad({ filter: /.*/, namespace: 'artifact' }, async ({ path }) => {
        if (path === START) return { contents: startProgram(source), loader: 'jsx' };
        const end = posix.extname(path).toLowerCase();
        if (/^\.(?:s[ac]ss|less|styl|vue|svelte|astro)$/.test(end))
          throw new BuildFailure(`${path}: files of the kind ${end} are not compiled in a preview.`);
        const loader = LOADERS[end] ?? 'dataurl';
        if (loader === 'dataurl') return { contents: await source.read(path), loader };
        const text = await readText(source, path);
        if (loader !== 'css') return { contents: text, loader };
        const contents = await styled(tailwind, text, path);
        return { contents, loader: path.endsWith('.module.css') ? 'local-css' : 'css' };
      });
    },
  };
}

async function styled(tailwind: TailwindStyles, css: string, path: string): Promise<string> {
  try {
    return await tailwind.compiled(css, path);
  } catch (error) {
    throw new BuildFailure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unknownModule(name: string, importer: string, modules: readonly string[]): BuildFailure {
  return new BuildFailure(`Cannot find module "${name}" in ${importer}. Preview has: ${modules.join(', ')}.`);
}

/** The file of the version that an import or an address names, or null. */
function localPath(address: string, importer: string, source: BuildSource): string | null {
  let path: string;
  if (address.startsWith('/')) path = address.slice(1);
  else if (/^[@~]\//.test(address)) path = `src/${address.slice(2)}`;
  else path = posix.join(posix.dirname(importer), address);
  const places = address.startsWith('/') ? [path, `public/${path}`] : [path];
  for (const place of places) {
    for (const end of TRIED) if (source.has(place + end)) return place + end;
    // TypeScript sources import one another under the name that the compiler gives them.
    const compiled = /^(.*)\.(m|c)?js(x)?$/.exec(place);
    for (const end of compiled ? ['.ts', '.tsx', '.mts'] : [])
      if (source.has(`${compiled![1]}${end}`)) return `${compiled![1]}${end}`;
  }
  return null;
}

function startProgram(source: BuildSource): string {
  const path = ROOTS.find((one) => source.has(one))!;
  return `import { createRoot } from 'react-dom/client';
import * as app from './${path}';
const place = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
const App = app.default ?? app.App;
createRoot(place).render(<App />);
`;
}

interface Output {
  readonly script: string;
  readonly style: string | null;
}

function outputsOf(metafile: Metafile): ReadonlyMap<string, Output> {
  const outputs = new Map<string, Output>();
  for (const [file, { entryPoint, cssBundle }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue;
    const name = (path: string): string => `/${path.slice(path.indexOf(`${FOLDER}/`))}`;
    outputs.set(entryPoint.replace(/^artifact:/, ''), {
      script: name(file),
      style: cssBundle === undefined ? null : name(cssBundle),
    });
  }
  return outputs;
}

/** The page with the built files in place of the sources, and every built stylesheet: also those of parts loaded later. */
function linked(
  page: string,
  references: readonly Reference[],
  start: string | null,
  built: ReadonlyMap<string, Output>,
  sheets: readonly string[],
): string {
  let out = '';
  let done = 0;
  const named = new Set<string>();
  const styles = new Set<string>();
  for (const { path, start: from, end } of references) {
    const output = built.get(path)!;
    named.add(output.script);
    if (output.style !== null) styles.add(output.style);
    out += page.slice(done, from) + output.script;
    done = end;
  }
  out += page.slice(done);
  const own = start === null ? undefined : built.get(start);
  if (own?.style) styles.add(own.style);
  for (const sheet of sheets) styles.add(`/${sheet}`);
  const links = [...styles]
    .filter((style) => !named.has(style))
    .map((style) => `<link rel="stylesheet" href="${style}">`)
    .join('');
  const script = own === undefined ? '' : `<script type="module" src="${own.script}"></script>`;
  return insertBefore(insertBefore(out, /<\/head\s*>/i, links), /<\/body\s*>/i, script);
}

function insertBefore(page: string, place: RegExp, text: string): string {
  if (text === '') return page;
  const at = place.exec(page)?.index;
  return at === undefined ? page + text : page.slice(0, at) + text + page.slice(at);
}

/** Short name of a list of modules, for the edition of the builder. */
export function digestOf(modules: readonly string[]): string {
  return createHash('sha256')
    .update([...modules].sort().join(' '))
    .digest('hex')
    .slice(0, 12);
}
