import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';
import { PreviewBuilder } from '../ports/preview-builder.js';
import { buildKindOf } from '../version-previews.js';

export const BUILD_QUEUE = 'artifact-preview-build';
export const BUILD_JOB = 'build';

/** Builds the preview of a new version before anybody looks. */
@Injectable()
export class WhenVersionStored implements EventListener {
  readonly name = 'artifacts-preview-when-version-stored';
  readonly types = ['ArtifactVersionStored'];

  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly builder: PreviewBuilder,
    private readonly jobs: Jobs,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    const number = event.payload.version;
    const facts = await this.directory.find(event.aggregateId);
    if (facts === null || typeof number !== 'number') return;
    const version = await this.directory.version(facts.artifactId, number);
    if (version === null) return;
    const kind = buildKindOf(facts, version);
    if (kind === null) return;
    const id = `build_${version.versionId}_${this.builder.editionOf(kind)}`;
    await this.jobs.add(BUILD_QUEUE, id, BUILD_JOB, { artifactId: facts.artifactId, version: number });
  }
}
