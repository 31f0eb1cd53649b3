import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, forbidden } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { UNDELETE_DAYS } from '../../domain/artifact.js';
import { artifactNotFound } from '../../domain/refusals.js';
import { ArtifactNews } from '../artifact-news.js';
import { ArtifactRepository } from '../ports/artifact-repository.js';
import { GitTokens } from '../ports/git-tokens.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { RefusalRecords } from '../refusal-records.js';

export interface DeleteArtifactInput {
  readonly projectId: string;
  readonly artifactId: string;
}

export interface DeletedArtifact {
  readonly artifactId: string;
  readonly deletedAt: Date;
  /** From then on it cannot be brought back. */
  readonly purgeAt: Date;
}

/** When what was deleted then is removed for good. */
export function purgeTime(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + UNDELETE_DAYS * 86_400_000);
}

/**
 * Takes an artifact away from everybody for 30 days, then for good; for people who administer the project.
 * @throws DomainError `published`, `not-found`, `forbidden`.
 */
@Injectable()
export class DeleteArtifact {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactRepository,
    private readonly tokens: GitTokens,
    private readonly hooks: LibraryHooks,
    private readonly news: ArtifactNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: DeleteArtifactInput): Promise<DeletedArtifact> {
    const attempt = {
      operation: 'artifact.deleted',
      projectId: input.projectId,
      artifactId: input.artifactId,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: DeleteArtifactInput): Promise<DeletedArtifact> {
    await this.access.require(actor, input.projectId, 'administer', 'Artifact');
    if (actor.kind !== 'person') throw forbidden('Only a person deletes an artifact, on its page.');
    const published = await this.hooks.published([input.artifactId]);
    return this.unitOfWork.run(async () => {
      const artifact = await this.artifacts.lock(input.artifactId);
      if (!artifact || artifact.deleted || artifact.projectId !== input.projectId) throw artifactNotFound();
      if (published.size > 0) {
        throw conflict('published', 'The artifact is published. Unpublish it first, then delete it.');
      }
      artifact.delete(this.clock.now());
      await this.artifacts.save(artifact);
      await this.tokens.revoke({ artifactId: artifact.id }, this.clock.now());
      await this.news.tell(actor, artifact, {
        events: [{ type: 'ArtifactDeleted' }],
        audit: [{ operation: 'artifact.deleted' }],
        live: ['artifact', 'list'],
      });
      const deletedAt = artifact.state.deletedAt!;
      return { artifactId: artifact.id, deletedAt, purgeAt: purgeTime(deletedAt) };
    });
  }
}
