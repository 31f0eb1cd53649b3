import type { Actor } from '#libs/kernel/actor.js';
import { ArtifactLinks, type LinkedArtifact } from '../application/ports/artifact-links.js';

/** Links in memory, for tests of the board. */
export class FakeArtifactLinks extends ArtifactLinks {
  readonly artifacts = new Map<string, LinkedArtifact>();
  readonly links = new Map<string, readonly string[]>();
  /** Switched off unless a test is about them. */
  on = false;

  override async ofCards(_projectId: string, cardIds: readonly string[]) {
    if (!this.on) return null;
    return new Map(
      cardIds.map((id) => [id, (this.links.get(id) ?? []).flatMap((each) => this.artifacts.get(each) ?? [])]),
    );
  }

  override async known(_actor: Actor, _projectId: string, ids: readonly string[]): Promise<Set<string>> {
    return new Set(ids.filter((id) => this.artifacts.has(id)));
  }

  override async replaceOfCard(_actor: Actor, _projectId: string, cardId: string, ids: readonly string[]) {
    const before = this.links.get(cardId) ?? [];
    this.links.set(cardId, ids);
    return before.join() !== ids.join();
  }
}
