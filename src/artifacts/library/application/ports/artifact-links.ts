import type { Actor } from '#libs/kernel/actor.js';
import type { ArtifactType } from '../../domain/artifact-types.js';

/** An artifact as a card shows it. */
export interface LinkedArtifact {
  readonly artifactId: string;
  readonly name: string;
  readonly artifactType: ArtifactType;
  readonly latestVersion: number | null;
  readonly archived: boolean;
  readonly url: string;
}

/** Links between cards and artifacts, from the side of the card. */
export abstract class ArtifactLinks {
  /** In link order; deleted artifacts are left out. Null while artifacts are switched off. */
  abstract ofCards(
    projectId: string,
    cardIds: readonly string[],
  ): Promise<Map<string, LinkedArtifact[]> | null>;
  /** Those of the ids that this actor may link in the project. @throws DomainError `switched-off`. */
  abstract known(actor: Actor, projectId: string, artifactIds: readonly string[]): Promise<Set<string>>;
  /**
   * Makes these the artifacts of the card, in the transaction of the caller. @returns whether anything changed.
   * @throws DomainError `conflict` `limit`.
   */
  abstract replaceOfCard(
    actor: Actor,
    projectId: string,
    cardId: string,
    artifactIds: readonly string[],
  ): Promise<boolean>;
}
