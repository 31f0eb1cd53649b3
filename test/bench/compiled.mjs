// Compiles files of the tests beside the built server, where their imports lead to the built files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

export const root = resolve(
  process.env.LOUPE_BENCH_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), '../..'),
);

/** Path of a built file. */
export const built = (path) => join(root, 'dist', path);

const done = new Set();
/** What the build leaves out. */
const ONLY_FOR_TESTS = /^test\/|\/testing\//;

/** Compiles one file, and those of its imports that only tests have. @returns the path to import */
export function compiled(source) {
  const target = built(source.replace(/\.ts$/, '.js'));
  if (done.has(source)) return target;
  done.add(source);
  mkdirSync(dirname(target), { recursive: true });
  const { exclude: _, ...options } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  const filename = join(root, source);
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
  writeFileSync(target, code);
  for (const [, specifier] of code.matchAll(/ from ['"]([#.][^'"]+)\.js['"]/g)) {
    const imported = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(source), specifier);
    if (ONLY_FOR_TESTS.test(imported)) compiled(`${imported}.ts`);
  }
  return target;
}
