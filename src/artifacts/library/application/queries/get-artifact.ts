import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { CardFact } from '../ports/library-hooks.js';
import { ArtifactReader, type GetArtifactInput, type ShownVersion } from './artifact-reader.js';
import { type ArtifactRow, listRow } from './artifact-rows.js';
import type { VersionLine } from './version-lines.js';

/** Files that one answer lists; more are listed by `artifact_explore`. */
const FILES_LISTED = 500;

/** The answer of `artifact_get` (`artifacts.md` 6.2). */
export interface ArtifactAnswer extends ArtifactRow {
  readonly entryPath: string | null;
  readonly error: string | null;
  readonly previewUrl: string | null;
  readonly liveUrl: string | null;
  readonly versions: readonly Omit<VersionLine, 'entryPath' | 'skippedCount' | 'createdByKind'>[];
  readonly version: Pick<ShownVersion, 'version' | 'files' | 'filesTruncated' | 'skippedFiles'> | null;
  readonly cards: readonly CardFact[];
}

/** One artifact as agents read it. @throws DomainError `not-found`; InvalidInput. */
@Injectable()
export class GetArtifact {
  constructor(private readonly reader: ArtifactReader) {}

  async execute(actor: Actor, input: GetArtifactInput): Promise<ArtifactAnswer> {
    const { row, versions, version, cards, previewUrl } = await this.reader.read(actor, input, FILES_LISTED);
    return {
      ...listRow(row),
      entryPath: version?.entryPath ?? row.entryPath,
      error: row.error,
      previewUrl,
      liveUrl: row.liveUrl,
      versions: versions.map(({ entryPath: _, skippedCount: __, createdByKind: ___, ...line }) => line),
      version: version && {
        version: version.version,
        files: version.files,
        filesTruncated: version.filesTruncated,
        skippedFiles: version.skippedFiles,
      },
      cards,
    };
  }
}
