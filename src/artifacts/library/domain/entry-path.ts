import type { ArtifactType, Framework } from './artifact-types.js';
import { extensionOf } from './content-kind.js';

/** Written by `loupe artifact push` beside pages that it compiled from a canvas. */
const CANVAS_RUNTIME = 'assets/canvas-runtime.js';

/**
 * The path that is shown first (`artifacts.md` 3.6), or null when there is nothing to render.
 * @param paths in path order.
 */
export function entryPathOf(
  artifact: {
    readonly artifactType: ArtifactType;
    readonly framework: Framework | null;
    readonly entryWish: string | null;
  },
  paths: readonly string[],
): string | null {
  const all = new Set(paths);
  const { artifactType, framework, entryWish } = artifact;
  if (entryWish !== null && all.has(entryWish)) return entryWish;
  if (artifactType === 'asset') return paths[0] ?? null;
  if (artifactType === 'markdown') {
    return (
      ['README.md', 'index.md'].find((path) => all.has(path)) ??
      paths.find((path) => extensionOf(path) === 'md') ??
      null
    );
  }
  if (all.has('index.html')) return 'index.html';
  if (framework === 'react' && all.has('public/index.html')) return 'public/index.html';
  const pages = paths.filter((path) => extensionOf(path) === 'html');
  const atRoot = pages.filter((path) => !path.includes('/'));
  if (atRoot.length === 1) return atRoot[0]!;
  const canvas = all.has(CANVAS_RUNTIME)
    ? pages.find((path) => all.has(path.replace(/\.html$/i, '.js')))
    : undefined;
  if (canvas !== undefined) return canvas;
  return pages.length === 0 && all.has('README.md') ? 'README.md' : null;
}
