import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { build, type Message, type Metafile } from 'esbuild';
import { applicationRoot } from '#libs/configuration/application-root.js';
import type { BuildResult, BuiltFile } from '../../application/ports/preview-builder.js';
import { EMPTY_PAGE, linked, type Output, referencesOf } from './app-page.js';
import { BuildFailure, type BuildSource, readText } from './build-source.js';
import { TailwindStyles } from './tailwind-styles.js';
import { ENTRY, START, versionFiles } from './version-files-plugin.js';
import { CODE } from './version-paths.js';

const FOLDER = 'preview-build';
const PAGES = ['index.html', 'public/index.html'];
const STARTS = ['src/main', 'src/index', 'main', 'index'].flatMap((name) => CODE.map((end) => name + end));
const ROOTS = ['src/App', 'App', 'src/app'].flatMap((name) => CODE.map((end) => name + end));
const FINISHED = ['dist/', 'build/'];

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
      plugins: [versionFiles(source, modules, entries, tailwind, () => startProgram(source))],
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

function startProgram(source: BuildSource): string {
  const path = ROOTS.find((one) => source.has(one))!;
  return `import { createRoot } from 'react-dom/client';
import * as app from './${path}';
const place = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
const App = app.default ?? app.App;
createRoot(place).render(<App />);
`;
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

/** Short name of a list of modules, for the edition of the builder. */
export function digestOf(modules: readonly string[]): string {
  return createHash('sha256')
    .update([...modules].sort().join(' '))
    .digest('hex')
    .slice(0, 12);
}
