import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
} from '#src/artifacts/library/application/ports/artifact-directory.js';

export interface Onlooker {
  readonly facts: ArtifactFacts;
  /** Whose right it is; null for whoever may look because the artifact is public. */
  readonly personId: string | null;
}

/** Who may look at an artifact: whoever may read it, and everybody where it is public and the instance allows that. */
@Injectable()
export class PreviewAudience {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly access: ProjectAccess,
    private readonly flags: Flags,
  ) {}

  /** Null for whoever may not, and for ids that nothing has. `person` is null without a session. */
  async admit(person: PersonActor | null, artifactId: string, projectId?: string): Promise<Onlooker | null> {
    if (!this.flags.isOn('artifacts.enabled') || !isUuid(artifactId)) return null;
    const id = artifactId.toLowerCase();
    const facts = person === null ? null : await this.ofReader(person, id, projectId);
    if (person !== null && facts !== null) return { facts, personId: person.personId };
    const found = await this.directory.find(id);
    if (found === null || !this.isPublic(found)) return null;
    if (projectId !== undefined && found.projectId !== projectId) return null;
    return { facts: found, personId: null };
  }

  /** Whether a ticket of this holder still opens the artifact. */
  async stillHolds(facts: ArtifactFacts, personId: string | null): Promise<boolean> {
    if (personId === null) return this.isPublic(facts);
    return (await this.access.roleOf(personId, facts.projectId)) !== null;
  }

  private isPublic(facts: ArtifactFacts): boolean {
    return facts.privacy === 'public' && this.flags.isOn('artifacts.public_links.enabled');
  }

  private async ofReader(person: PersonActor, id: string, projectId?: string): Promise<ArtifactFacts | null> {
    try {
      return await this.directory.require(person, id, 'read', projectId);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not-found') return null;
      throw error;
    }
  }
}
