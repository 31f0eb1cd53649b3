import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { toAscii } from '#libs/kernel/ascii.js';
import { unknownVersion } from '../../domain/refusals.js';
import { ArchiveWriter } from '../ports/archive-writer.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';

export interface DownloadVersionInput {
  readonly projectId: string;
  readonly artifactId: string;
  /** Default: the latest. */
  readonly version: number | null;
}

export interface VersionDownload {
  /** ASCII, without anything that a header or a file system minds. */
  readonly fileName: string;
  readonly content: Readable;
}

/** All files of a version as one zip. @throws DomainError `not-found`. */
@Injectable()
export class DownloadVersion {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly blobs: ArtifactBlobs,
    private readonly writer: ArchiveWriter,
  ) {}

  async execute(actor: Actor, input: DownloadVersionInput): Promise<VersionDownload> {
    const artifact = await this.directory.require(actor, input.artifactId, 'read', input.projectId);
    const number = input.version ?? artifact.latestVersion;
    const version = number === null ? null : await this.directory.version(artifact.artifactId, number);
    if (!version) throw unknownVersion(input.version ?? 1, artifact.latestVersion);
    const files = await this.directory.files(version.versionId);
    const content = this.writer.write(
      files.map(({ path, bytes, sha256, kind }) => ({
        path,
        bytes,
        changedAt: version.createdAt,
        // Pictures, fonts and the like are packed already.
        compress: kind === 'text',
        open: () => this.blobs.open(sha256),
      })),
    );
    return { fileName: `${slugOf(artifact.name)}-v${version.number}.zip`, content };
  }
}

function slugOf(name: string): string {
  const slug = toAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return slug === '' ? 'artifact' : slug;
}
