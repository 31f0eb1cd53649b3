import type { PreviewFile } from './preview-builder.js';

export interface PreviewBuild {
  readonly versionId: string;
  readonly builder: string;
  readonly state: 'building' | 'ready' | 'failed';
  readonly root: string;
  readonly entryPath: string | null;
  /** Notes of a ready one, the error of a failed one. */
  readonly log: string;
}

/** Builds of versions; a version is built once by each edition of a builder. */
export abstract class PreviewBuilds {
  /** True for whoever has to build now: nobody began, whoever did is silent for two minutes, or it is time to try again. */
  abstract claim(versionId: string, builder: string): Promise<boolean>;
  /** Null too for a failed one that may be tried again by now. */
  abstract find(versionId: string, builder: string): Promise<PreviewBuild | null>;
  /** `retryAt`: from when on a failed one is tried again; null for never. */
  abstract finish(build: PreviewBuild, files: readonly PreviewFile[], retryAt: Date | null): Promise<void>;
  /** Gives a claim back, so that somebody else may build. */
  abstract release(versionId: string, builder: string): Promise<void>;
  /** One built file by exact path. */
  abstract file(versionId: string, builder: string, path: string): Promise<PreviewFile | null>;
}
