import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { unknownVersion } from '../../domain/refusals.js';
import { ArtifactDirectory, type ArtifactFacts, type VersionFacts } from '../ports/artifact-directory.js';
import { type FileLine, fileLine } from './file-line.js';
import { type VersionLine, VersionLines } from './version-lines.js';

export interface CompareVersionsInput {
  readonly projectId: string;
  readonly artifactId: string;
  /** Default: the one before `to`. */
  readonly from?: number | null;
  /** Default: the latest. */
  readonly to?: number | null;
}

export type FileChangeKind = 'added' | 'removed' | 'changed' | 'same';

export interface ComparedFile {
  readonly path: string;
  readonly change: FileChangeKind;
  readonly from: FileLine | null;
  readonly to: FileLine | null;
}

export interface ComparedVersions {
  readonly from: VersionLine;
  readonly to: VersionLine;
  readonly counts: Readonly<Record<FileChangeKind, number>>;
  readonly files: readonly ComparedFile[];
}

/** Two versions of an artifact with their files. */
export interface VersionPair {
  readonly artifact: ArtifactFacts;
  readonly from: VersionFacts;
  readonly to: VersionFacts;
}

/** Finds the two versions that a comparison is about. @throws DomainError `one_version`, `not-found`. */
@Injectable()
export class VersionPairs {
  constructor(private readonly directory: ArtifactDirectory) {}

  async find(actor: Actor, input: CompareVersionsInput): Promise<VersionPair> {
    const artifact = await this.directory.require(actor, input.artifactId, 'read', input.projectId);
    const latest = artifact.latestVersion;
    const to = input.to ?? latest;
    const from = input.from ?? (to === null ? null : to - 1);
    if (to === null || from === null || (input.from == null && from < 1)) {
      throw conflict('one_version', 'There is one version only, so there is nothing to compare it with.');
    }
    return {
      artifact,
      from: await this.version(artifact, from),
      to: await this.version(artifact, to),
    };
  }

  private async version(artifact: ArtifactFacts, number: number): Promise<VersionFacts> {
    const version = await this.directory.version(artifact.artifactId, number);
    if (!version) throw unknownVersion(number, artifact.latestVersion);
    return version;
  }
}

/** Which files differ between two versions, told by their hashes. @throws DomainError `one_version`, `not-found`. */
@Injectable()
export class CompareVersions {
  constructor(
    private readonly pairs: VersionPairs,
    private readonly directory: ArtifactDirectory,
    private readonly lines: VersionLines,
  ) {}

  async execute(actor: Actor, input: CompareVersionsInput): Promise<ComparedVersions> {
    const { artifact, from, to } = await this.pairs.find(actor, input);
    const versions = new Map((await this.lines.of(artifact.artifactId)).map((line) => [line.version, line]));
    const before = await this.directory.files(from.versionId);
    const after = await this.directory.files(to.versionId);
    const files = comparedFiles(before, after);
    const counts = { added: 0, removed: 0, changed: 0, same: 0 };
    for (const { change } of files) counts[change] += 1;
    return { from: versions.get(from.number)!, to: versions.get(to.number)!, counts, files };
  }
}

function comparedFiles(before: readonly ManifestFile[], after: readonly ManifestFile[]): ComparedFile[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((path) => comparedFile(path, old.get(path) ?? null, now.get(path) ?? null));
}

/** What happened to a path between two versions; null on one side where it is missing there. */
export function comparedFile(path: string, from: ManifestFile | null, to: ManifestFile | null): ComparedFile {
  const change =
    from === null ? 'added' : to === null ? 'removed' : from.sha256 === to.sha256 ? 'same' : 'changed';
  return { path, change, from: from && fileLine(from), to: to && fileLine(to) };
}
