import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Artifact } from '../domain/artifact.js';
import type { Maker } from '../domain/artifact-types.js';
import { artifactNotFound } from '../domain/refusals.js';
import { ArtifactNews } from './artifact-news.js';
import { ArtifactRepository } from './ports/artifact-repository.js';
import { ArtifactStates } from './ports/artifact-states.js';
import { Shelves } from './ports/shelves.js';
import type { NewArtifact } from './ports/version-store.js';

/** The states of generation, moved in the transaction of the caller. */
@Injectable()
export class MovingStates extends ArtifactStates {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactRepository,
    private readonly shelves: Shelves,
    private readonly news: ArtifactNews,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async addGenerating(actor: Actor, given: NewArtifact, maker: Maker): Promise<void> {
    this.unitOfWork.requireTransaction();
    const { artifactId: id, ...rest } = given;
    const artifact = Artifact.create({ ...rest, id, maker }, 'generating', this.clock.now());
    await this.shelves.addArtifact(artifact.projectId);
    await this.artifacts.add(artifact);
    const { origin, artifactType, name } = artifact.state;
    await this.news.tell(actor, artifact, {
      events: [{ type: 'ArtifactCreated', payload: { origin, artifactType, name } }],
      audit: [{ operation: 'artifact.created', context: { origin, artifactType } }],
      live: ['list'],
    });
  }

  override async generateAgain(artifactId: string): Promise<void> {
    await this.change(artifactId, (artifact) => artifact.generateAgain(this.clock.now()));
  }

  override async succeed(artifactId: string, name: string): Promise<void> {
    await this.change(artifactId, (artifact) => artifact.succeed(name, this.clock.now()));
  }

  override async fail(artifactId: string, error: string): Promise<void> {
    await this.change(artifactId, (artifact) => artifact.fail(error, this.clock.now()));
  }

  private async change(artifactId: string, move: (artifact: Artifact) => void): Promise<void> {
    this.unitOfWork.requireTransaction();
    const artifact = await this.artifacts.lock(artifactId);
    if (!artifact) throw artifactNotFound();
    move(artifact);
    await this.artifacts.save(artifact);
    await this.live.publish(`project:${artifact.projectId}:artifacts`, {
      type: 'artifact',
      subjectId: artifactId,
    });
  }
}
