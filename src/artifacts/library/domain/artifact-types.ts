export type ArtifactType = 'app' | 'markdown' | 'asset';
export type Framework = 'html' | 'react';
export type ArtifactStatus = 'generating' | 'ready' | 'failed';
export type Privacy = 'private' | 'public';
export type Origin = 'push' | 'empty' | 'import' | 'p2c' | 'l2c' | 'f2c' | 'duplicate';
export type VersionSource =
  | 'push'
  | 'import'
  | 'seed'
  | 'generate'
  | 'edit'
  | 'git'
  | 'restore'
  | 'duplicate';
export type FileKind = 'text' | 'image' | 'binary';

/** Who made an artifact or a version; the name is looked up when it is shown. */
export interface Maker {
  readonly kind: 'person' | 'agent' | 'worker';
  /** Null after the person was deleted. */
  readonly personId: string | null;
}

/** One file of a version. */
export interface ManifestFile {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly kind: FileKind;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}
