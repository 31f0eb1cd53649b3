import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { type ArchiveArtifactInput, type ArchivedArtifact, ArchiveMover } from '../archive-mover.js';

/** Brings an archived artifact back into the list. @throws DomainError `not-found`, `forbidden`. */
@Injectable()
export class UnarchiveArtifact {
  constructor(private readonly mover: ArchiveMover) {}

  async execute(actor: Actor, input: ArchiveArtifactInput): Promise<ArchivedArtifact> {
    return this.mover.move(actor, input, false);
  }
}
