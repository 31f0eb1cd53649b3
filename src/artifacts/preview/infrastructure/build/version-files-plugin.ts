import { realpathSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import type { Loader, Plugin } from 'esbuild';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { BuildFailure, type BuildSource, readText } from './build-source.js';
import type { TailwindStyles } from './tailwind-styles.js';
import { localPath } from './version-paths.js';

/** Path of the program that starts an app which has none. */
export const START = 'loupe:start';

/** Before the number of an entry: a name that no file on a disk has. */
export const ENTRY = 'loupe-entry:';

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
const ASKED = Symbol('resolved by the server');

/** The only files that the build sees: those of the version, and inside the shipped modules. */
export function versionFiles(
  source: BuildSource,
  modules: readonly string[],
  entries: readonly string[],
  tailwind: TailwindStyles,
  startProgram: () => string,
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
        if (path === START) return { contents: startProgram(), loader: 'jsx' };
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
