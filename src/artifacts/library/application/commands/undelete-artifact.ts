import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { forbidden } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { artifactNotFound } from '../../domain/refusals.js';
import { ArtifactNews } from '../artifact-news.js';
import { ArtifactRepository } from '../ports/artifact-repository.js';
import { type DeleteArtifactInput, purgeTime } from './delete-artifact.js';

/** Brings a deleted artifact back within 30 days. @throws DomainError `not-found`, `forbidden`. */
@Injectable()
export class UndeleteArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactRepository,
    private readonly news: ArtifactNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: DeleteArtifactInput): Promise<{ readonly artifactId: string }> {
    await this.access.require(actor, input.projectId, 'administer', 'Artifact');
    if (actor.kind !== 'person') throw forbidden('Only a person brings an artifact back, on the web.');
    return this.unitOfWork.run(async () => {
      const artifact = await this.artifacts.lock(input.artifactId);
      if (!artifact || artifact.projectId !== input.projectId) throw artifactNotFound();
      const { deletedAt } = artifact.state;
      if (deletedAt !== null && purgeTime(deletedAt) <= this.clock.now()) throw artifactNotFound();
      if (artifact.undelete()) {
        await this.artifacts.save(artifact);
        await this.news.tell(actor, artifact, {
          events: [{ type: 'ArtifactRestored' }],
          audit: [{ operation: 'artifact.undeleted' }],
          live: ['artifact', 'list'],
        });
      }
      return { artifactId: artifact.id };
    });
  }
}
