import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import type { SkippedFile } from '../../domain/artifact-types.js';
import { artifactNotFound, unknownVersion } from '../../domain/refusals.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import type { CardFact } from '../ports/library-hooks.js';
import { ArtifactRows, type RowWithMore } from './artifact-rows.js';
import { type FileLine, fileLine } from './file-line.js';
import { LinkedCards } from './linked-cards.js';
import { type VersionLine, VersionLines } from './version-lines.js';

export interface GetArtifactInput extends NamedArtifact {
  readonly projectId: string;
  readonly version?: number | null;
}

export interface ShownVersion {
  readonly version: number;
  readonly revision: string | null;
  readonly entryPath: string | null;
  readonly files: readonly FileLine[];
  readonly filesTruncated: boolean;
  readonly skippedFiles: readonly SkippedFile[];
  readonly skippedCount: number;
}

/** Everything about one artifact, for both doors. */
export interface ArtifactDetails {
  readonly row: RowWithMore;
  readonly versions: readonly VersionLine[];
  readonly version: ShownVersion | null;
  readonly cards: readonly CardFact[];
  readonly previewUrl: string | null;
  readonly playgroundUrl: string | null;
}

/** Reads an artifact with its versions and the files of one of them. @throws DomainError `not-found`; InvalidInput. */
@Injectable()
export class ArtifactReader {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly rows: ArtifactRows,
    private readonly lines: VersionLines,
    private readonly cards: LinkedCards,
    private readonly addresses: ArtifactAddresses,
  ) {}

  async read(actor: Actor, input: GetArtifactInput, filesListed: number): Promise<ArtifactDetails> {
    const artifactId = artifactIdOf(input);
    const number = input.version ?? null;
    if (number !== null && number < 1) {
      throw new InvalidInput([{ argument: 'version', sentence: 'must be 1 or more' }]);
    }
    const { projectId, artifactType } = await this.directory.require(
      actor,
      artifactId,
      'read',
      input.projectId,
    );
    const [row] = await this.rows.read({
      projectId,
      artifactId,
      archived: 'with',
      forAgents: false,
      limit: 1,
      offset: 0,
    });
    if (!row) throw artifactNotFound();
    const versions = await this.lines.of(artifactId);
    const version = await this.shown(artifactId, number, row.latestVersion, filesListed);
    const cards = (await this.cards.of(projectId, [artifactId])).get(artifactId) ?? [];
    return {
      row,
      versions,
      version,
      cards,
      previewUrl: artifactType === 'asset' ? null : this.addresses.preview(artifactId),
      playgroundUrl: artifactType === 'app' ? this.addresses.playground(projectId, artifactId) : null,
    };
  }

  private async shown(
    artifactId: string,
    wanted: number | null,
    latest: number | null,
    filesListed: number,
  ): Promise<ShownVersion | null> {
    const number = wanted ?? latest;
    if (number === null) return null;
    const facts = await this.directory.version(artifactId, number);
    if (!facts) throw unknownVersion(number, latest);
    const files = await this.directory.files(facts.versionId);
    const skippedFiles = await this.lines.skippedFiles(facts.versionId);
    return {
      version: facts.number,
      revision: facts.revision,
      entryPath: facts.entryPath,
      files: files.slice(0, filesListed).map(fileLine),
      filesTruncated: files.length > filesListed,
      skippedFiles,
      skippedCount: skippedFiles.length,
    };
  }
}
