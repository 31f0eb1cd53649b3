import type { FileKind, ManifestFile } from '../../domain/artifact-types.js';
import { extensionOf } from '../../domain/content-kind.js';

/** A file of a version as answers show it. */
export interface FileLine {
  readonly path: string;
  readonly contentType: string;
  readonly kind: FileKind;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether it is a page, that is an `.html` file. */
  readonly page: boolean;
}

export function fileLine({ path, contentType, kind, bytes, sha256 }: ManifestFile): FileLine {
  return { path, contentType, kind, bytes, sha256, page: extensionOf(path) === 'html' };
}
