import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { artifactNotFound } from '../domain/refusals.js';
import { ArtifactNews } from './artifact-news.js';
import { artifactIdOf, type NamedArtifact } from './named-artifact.js';
import { ArtifactDirectory } from './ports/artifact-directory.js';
import { ArtifactRepository } from './ports/artifact-repository.js';
import { RefusalRecords } from './refusal-records.js';

export interface ArchiveArtifactInput extends NamedArtifact {
  readonly projectId: string;
}

export interface ArchivedArtifact {
  readonly artifactId: string;
  readonly archived: boolean;
  /** False when it was so already. */
  readonly changed: boolean;
}

/** Moves an artifact out of the list and back; nothing is deleted. @throws DomainError `not-found`, `forbidden`. */
@Injectable()
export class ArchiveMover {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly directory: ArtifactDirectory,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactRepository,
    private readonly news: ArtifactNews,
    private readonly clock: Clock,
  ) {}

  async move(actor: Actor, input: ArchiveArtifactInput, archived: boolean): Promise<ArchivedArtifact> {
    const attempt = {
      operation: archived ? 'artifact.archived' : 'artifact.unarchived',
      projectId: input.projectId,
      artifactId: input.artifactId ?? input.sessionId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input, archived));
  }

  private async run(actor: Actor, input: ArchiveArtifactInput, archived: boolean): Promise<ArchivedArtifact> {
    const artifactId = artifactIdOf(input);
    await this.directory.require(actor, artifactId, 'write', input.projectId);
    return this.unitOfWork.run(async () => {
      const artifact = await this.artifacts.lock(artifactId);
      if (!artifact || artifact.deleted) throw artifactNotFound();
      const at = this.clock.now();
      const changed = archived ? artifact.archive(at) : artifact.unarchive(at);
      if (changed) {
        await this.artifacts.save(artifact);
        await this.news.tell(actor, artifact, {
          events: [{ type: archived ? 'ArtifactArchived' : 'ArtifactUnarchived' }],
          audit: [{ operation: archived ? 'artifact.archived' : 'artifact.unarchived' }],
          live: ['artifact', 'list'],
        });
      }
      return { artifactId, archived, changed };
    });
  }
}
