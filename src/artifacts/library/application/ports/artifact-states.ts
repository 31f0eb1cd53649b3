import type { Actor } from '#libs/kernel/actor.js';
import type { Maker } from '../../domain/artifact-types.js';
import type { NewArtifact } from './version-store.js';

/** The states that generation moves an artifact through. Each call runs in the transaction of the caller. */
export abstract class ArtifactStates {
  /** A new artifact without a version, `generating`. @throws DomainError `conflict` `limit` at the quota. */
  abstract addGenerating(actor: Actor, artifact: NewArtifact, maker: Maker): Promise<void>;
  /** `failed` or `generating` becomes `generating`, for a retry. */
  abstract generateAgain(artifactId: string): Promise<void>;
  /** `generating` becomes `ready`, with the name that its content has. A version is stored already. */
  abstract succeed(artifactId: string, name: string): Promise<void>;
  /** `generating` becomes `failed`. */
  abstract fail(artifactId: string, error: string): Promise<void>;
}
