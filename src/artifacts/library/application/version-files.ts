import { Injectable } from '@nestjs/common';
import { damagedFile } from '../domain/refusals.js';
import { ArtifactBlobs } from './ports/artifact-blobs.js';
import { ArtifactDirectory } from './ports/artifact-directory.js';
import type { CandidateFile } from './ports/version-store.js';

/** Files of a stored version as candidates of another one. */
@Injectable()
export class VersionFiles {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly blobs: ArtifactBlobs,
  ) {}

  /** @throws DomainError `unavailable` when bytes are gone. */
  async of(versionId: string): Promise<CandidateFile[]> {
    const files = await this.directory.files(versionId);
    const blobs = await this.blobs.describe(files.map(({ sha256 }) => sha256));
    return files.map(({ path, sha256 }) => {
      const blob = blobs.get(sha256);
      if (!blob) throw damagedFile();
      return { path, blob };
    });
  }
}
