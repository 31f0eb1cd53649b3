import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { unknownVersion } from '../../domain/refusals.js';
import { ArtifactDirectory, type VersionFacts } from '../ports/artifact-directory.js';
import { type FileLine, fileLine } from './file-line.js';

export interface VersionTree {
  readonly version: number;
  readonly revision: string | null;
  readonly entryPath: string | null;
  readonly files: readonly FileLine[];
}

export interface VersionInput {
  readonly projectId: string;
  readonly artifactId: string;
  readonly version?: number | null;
}

/** All files of a version. @throws DomainError `not-found`. */
@Injectable()
export class GetVersionTree {
  constructor(private readonly directory: ArtifactDirectory) {}

  async execute(actor: Actor, input: VersionInput): Promise<VersionTree> {
    const version = await shownVersion(this.directory, actor, input);
    const files = await this.directory.files(version.versionId);
    const { number, revision, entryPath } = version;
    return { version: number, revision, entryPath, files: files.map(fileLine) };
  }
}

/** One file of a version, for its bytes. @throws DomainError `not-found`. */
@Injectable()
export class FindVersionFile {
  constructor(private readonly directory: ArtifactDirectory) {}

  /** Null when the version has no file of this path. */
  async execute(actor: Actor, input: VersionInput & { readonly path: string }): Promise<ManifestFile | null> {
    const version = await shownVersion(this.directory, actor, input);
    return this.directory.file(version.versionId, input.path);
  }
}

async function shownVersion(
  directory: ArtifactDirectory,
  actor: Actor,
  input: VersionInput,
): Promise<VersionFacts> {
  const artifact = await directory.require(actor, input.artifactId, 'read', input.projectId);
  const number = input.version ?? artifact.latestVersion;
  const version = number === null ? null : await directory.version(artifact.artifactId, number);
  if (!version) throw unknownVersion(number ?? 1, artifact.latestVersion);
  return version;
}
