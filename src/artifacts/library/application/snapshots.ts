import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import type { ManifestFile } from '../domain/artifact-types.js';
import { contentTypeOf } from '../domain/content-kind.js';
import { stillGenerating } from '../domain/refusals.js';
import { CommitFiles } from './commit-files.js';
import { ArtifactDirectory, type ArtifactFacts } from './ports/artifact-directory.js';
import { GitRepositories } from './ports/git-repositories.js';

/** Files of one commit of `main`. */
export interface Snapshot {
  readonly revision: string | null;
  /** Null for a commit that came with others in one push. */
  readonly version: number | null;
  /** In path order. */
  readonly files: readonly ManifestFile[];
}

const PREFIX = /^[0-9a-f]{7,40}$/;

/** Finds the commit that a caller names: a full id, an unambiguous prefix of 7 or more, or `HEAD`, on `main` only. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly repositories: GitRepositories,
    private readonly commits: CommitFiles,
  ) {}

  /** @throws DomainError `invalid` for another form, `not-found`, `conflict` `generating`. */
  async find(artifact: ArtifactFacts, wanted: string | null | undefined): Promise<Snapshot> {
    const { artifactId, latestVersion } = artifact;
    if (latestVersion === null) throw stillGenerating();
    const revision = await this.revision(artifact, wanted);
    if (revision === null || revision === artifact.headRevision) {
      const version = (await this.directory.version(artifactId, latestVersion))!;
      return { ...version, version: version.number, files: await this.directory.files(version.versionId) };
    }
    const version = await this.directory.versionOfRevision(artifactId, revision);
    if (version) {
      return { ...version, version: version.number, files: await this.directory.files(version.versionId) };
    }
    const { files } = await this.commits.of(artifactId, revision);
    return {
      revision,
      version: null,
      files: files.map(({ path, blob }) => ({
        path,
        sha256: blob.sha256,
        bytes: blob.bytes,
        kind: blob.kind,
        contentType: contentTypeOf(path, blob),
      })),
    };
  }

  /** Full id of the commit; null for the latest one. */
  async revision(artifact: ArtifactFacts, wanted: string | null | undefined): Promise<string | null> {
    const { artifactId, headRevision } = artifact;
    if (wanted == null || wanted === 'HEAD' || wanted === headRevision) return headRevision;
    const prefix = wanted.toLowerCase();
    if (!PREFIX.test(prefix)) {
      throw wrong('revision must be a full id, a prefix of 7 or more of its digits, or HEAD.');
    }
    if (headRevision === null) throw wrong(`revision ${wanted} is not on main.`);
    if (prefix === headRevision.slice(0, prefix.length) && prefix.length === 40) return headRevision;
    const found = await this.repositories.matching(artifactId, headRevision, prefix);
    if (found.length > 1) throw wrong(`revision ${wanted} fits more than one commit; give more digits.`);
    if (found.length === 0)
      throw wrong(`revision ${wanted} is not on main. Call artifact_explore with history.`);
    return found[0]!;
  }
}

function wrong(message: string): DomainError {
  return new DomainError('invalid', 'invalid', message, { argument: 'revision' });
}
