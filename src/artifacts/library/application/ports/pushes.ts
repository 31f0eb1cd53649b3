import type { SkippedFile } from '../../domain/artifact-types.js';

/** One file that a push wants to be in the version. */
export interface WantedFile {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** What a push is to do, checked and complete but for the bytes. */
export interface PushRequest {
  readonly target:
    | { readonly artifactId: string }
    | {
        readonly name: string;
        readonly workspaceId: string;
        readonly artifactType: 'app' | 'markdown';
      };
  readonly notes: string;
  readonly entryPath: string | null;
  readonly cardIds: readonly string[];
  readonly files: readonly WantedFile[];
  /** Left out by their names; their bytes are not asked for. */
  readonly skipped: readonly SkippedFile[];
}

/** The answer of a commit. */
export interface PushResult {
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string | null;
  readonly unchanged: boolean;
  readonly url: string;
  readonly previewUrl: string;
  readonly skippedFiles: readonly SkippedFile[];
}

export interface Push {
  readonly id: string;
  readonly projectId: string;
  readonly personId: string;
  readonly request: PushRequest;
  /** Null until it was committed. */
  readonly result: PushResult | null;
  readonly expiresAt: Date;
}

/** What one of the many uploads of a push has to know about it. */
export interface WantedBlob extends Pick<Push, 'projectId' | 'personId' | 'expiresAt'> {
  readonly committed: boolean;
  /** The first file with the hash; null when none has it. */
  readonly file: WantedFile | null;
}

/** Pushes over HTTP (`artifacts.md` 9): manifest, missing blobs, commit. */
export abstract class Pushes {
  abstract add(push: Omit<Push, 'result'>, at: Date): Promise<void>;
  abstract find(pushId: string): Promise<Push | null>;
  abstract wanted(pushId: string, sha256: string): Promise<WantedBlob | null>;
  /** Keeps that the bytes of these came. @returns those that had not come before. */
  abstract noteBlobs(pushId: string, hashes: readonly string[]): Promise<string[]>;
  /** Hashes that came with this push. */
  abstract blobsOf(pushId: string): Promise<Set<string>>;
  /** Keeps the result, once. False when another commit of it was first. */
  abstract finish(pushId: string, result: PushResult): Promise<boolean>;
  /** Deletes all of a project, or of a person. */
  abstract remove(whose: { readonly projectId: string } | { readonly personId: string }): Promise<void>;
  /** Deletes what ran out by `before`, also what was committed. @returns how many. */
  abstract purge(before: Date): Promise<number>;
}
