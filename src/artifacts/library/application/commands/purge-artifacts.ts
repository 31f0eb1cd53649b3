import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { UNDELETE_DAYS } from '../../domain/artifact.js';
import { ArtifactErasure } from '../ports/artifact-erasure.js';

const BATCH = 100;

/** Every night: what was deleted 30 days ago goes for good, one artifact a transaction. */
@Injectable()
export class PurgeArtifacts {
  constructor(
    private readonly erasure: ArtifactErasure,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(actor: SystemActor): Promise<number> {
    const before = new Date(this.clock.now().getTime() - UNDELETE_DAYS * 86_400_000);
    let purged = 0;
    for (;;) {
      const due = await this.erasure.deletedBefore(before, BATCH);
      for (const { artifactId, projectId } of due) {
        await this.unitOfWork.run(async () => {
          if (!(await this.erasure.purgeArtifact(artifactId, before))) return;
          purged += 1;
          await this.audit.record(actor, {
            operation: 'artifact.purged',
            subjectType: 'artifact',
            subjectId: artifactId,
            projectId,
          });
        });
      }
      if (due.length < BATCH) return purged;
    }
  }
}
