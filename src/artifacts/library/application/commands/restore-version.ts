import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { forbidden } from '#libs/kernel/errors.js';
import { artifactArchived, stillGenerating, unknownVersion } from '../../domain/refusals.js';
import { makerOf } from '../makers.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { VersionStore } from '../ports/version-store.js';
import { RefusalRecords } from '../refusal-records.js';
import { VersionFiles } from '../version-files.js';

export interface RestoreVersionInput {
  readonly projectId: string;
  readonly artifactId: string;
  readonly version: number;
}

export interface RestoredVersion {
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string | null;
  /** The files of that version are the latest ones already. */
  readonly unchanged: boolean;
}

/** Makes a new version with the files of an old one; for people. @throws DomainError `not-found`, `archived`, `busy`. */
@Injectable()
export class RestoreVersion {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly directory: ArtifactDirectory,
    private readonly files: VersionFiles,
    private readonly versions: VersionStore,
  ) {}

  async execute(actor: Actor, input: RestoreVersionInput): Promise<RestoredVersion> {
    const attempt = {
      operation: 'artifact.version_stored',
      projectId: input.projectId,
      artifactId: input.artifactId,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: RestoreVersionInput): Promise<RestoredVersion> {
    if (actor.kind !== 'person')
      throw forbidden('Only a person restores a version, on the page of the artifact.');
    const artifact = await this.directory.require(actor, input.artifactId, 'write', input.projectId);
    if (artifact.archived) throw artifactArchived();
    if (artifact.status === 'generating') throw stillGenerating();
    const old = await this.directory.version(input.artifactId, input.version);
    if (!old) throw unknownVersion(input.version, artifact.latestVersion);
    const stored = await this.versions.store({
      target: { artifactId: input.artifactId },
      files: await this.files.of(old.versionId),
      notes: `Restored version ${old.number}`,
      source: 'restore',
      maker: makerOf(actor),
      actor,
    });
    const { artifactId, version, revision, unchanged } = stored;
    return { artifactId, version, revision, unchanged };
  }
}
