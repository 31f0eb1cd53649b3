import type { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';

/** A file of a version, or one that was built from it. */
export type PreviewFile = Awaited<ReturnType<ArtifactDirectory['files']>>[number];

export type BuildKind = 'react' | 'markdown';

export interface BuiltFile {
  readonly path: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export type BuildResult =
  | {
      readonly state: 'ready';
      /** Folder of the version that is shown instead, with its slash; empty for the built files. */
      readonly root: string;
      readonly entryPath: string | null;
      readonly files: readonly BuiltFile[];
      /** What was left aside. */
      readonly notes: readonly string[];
    }
  /** The sentence names what to mend. */
  | {
      readonly state: 'failed';
      readonly error: string;
      /** It ran out of time or memory, so it may succeed another time. */
      readonly atLimit?: true;
    };

/**
 * Makes pages of the files of a version where a browser cannot show them as they are. Nothing of the artifact runs
 * (`artifacts.md` 10.3).
 */
export abstract class PreviewBuilder {
  /** Kind and edition, with what the result depends on beside the files. At most 60 of `[a-z0-9-]`. */
  abstract editionOf(kind: BuildKind): string;
  /** @returns `failed` too for what takes more than 60 s or 512 MB. */
  abstract build(
    kind: BuildKind,
    files: readonly PreviewFile[],
    entryPath: string | null,
  ): Promise<BuildResult>;
}
