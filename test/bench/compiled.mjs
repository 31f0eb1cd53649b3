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

/** Compiles one file. @returns the path to import */
export function compiled(source) {
  const target = built(source.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  const { exclude: _, ...options } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  const filename = join(root, source);
  writeFileSync(
    target,
    transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false }).code,
  );
  return target;
}
