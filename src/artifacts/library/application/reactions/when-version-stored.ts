import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';

export const MAINTENANCE_QUEUE = 'artifact-maintenance';
export const BUNDLE_JOB = 'artifacts.bundle';

/** Versions that follow each other soon are packed once. */
const SETTLED_MS = 60_000;

/** After a new version the repository is packed, so that a lost folder can be restored. */
@Injectable()
export class WhenVersionStored implements EventListener {
  readonly name = 'artifacts-when-version-stored';
  readonly types = ['ArtifactVersionStored'];

  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    const artifactId = event.aggregateId;
    if (event.payload.revision === null) return;
    const due = Math.ceil((this.clock.now().getTime() + SETTLED_MS) / SETTLED_MS) * SETTLED_MS;
    await this.jobs.add(
      MAINTENANCE_QUEUE,
      `bundle_${artifactId}_${due}`,
      BUNDLE_JOB,
      { artifactId },
      {
        notBefore: new Date(due),
      },
    );
  }
}
