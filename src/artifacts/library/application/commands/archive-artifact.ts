import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { type ArchiveArtifactInput, type ArchivedArtifact, ArchiveMover } from '../archive-mover.js';

/** Takes an artifact out of the list; one that is archived stays as it is. @throws DomainError `not-found`, `forbidden`. */
@Injectable()
export class ArchiveArtifact {
  constructor(private readonly mover: ArchiveMover) {}

  async execute(actor: Actor, input: ArchiveArtifactInput): Promise<ArchivedArtifact> {
    return this.mover.move(actor, input, true);
  }
}
