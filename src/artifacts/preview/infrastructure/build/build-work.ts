import type { BuildKind, BuildResult } from '../../application/ports/preview-builder.js';
import { BuildFailure, type BuildSource } from './build-source.js';
import { buildMarkdown } from './markdown-pages.js';
import { buildReact } from './react-app.js';

/** What the build process is asked to do. */
export interface BuildWork {
  readonly kind: BuildKind;
  readonly paths: readonly string[];
  readonly entryPath: string | null;
  /** Packages that a React app may import. */
  readonly modules: readonly string[];
}

/** Builds on the calling process. */
export async function doBuild(work: BuildWork, source: BuildSource): Promise<BuildResult> {
  try {
    return work.kind === 'markdown'
      ? await buildMarkdown(source, work.entryPath)
      : await buildReact(source, work.modules);
  } catch (error) {
    if (error instanceof BuildFailure) return { state: 'failed', error: error.message };
    throw error;
  }
}

/** From the server to the build process. */
export type ToBuild =
  | { readonly work: BuildWork }
  | { readonly path: string; readonly content: Uint8Array }
  | { readonly path: string; readonly missing: string };

/** From the build process to the server. */
export type FromBuild =
  | { readonly read: string }
  | { readonly result: BuildResult }
  | { readonly fault: string };
