import { DomainError, InvalidInput } from '#libs/kernel/errors.js';

/** Either argument names the artifact; clients of other servers write `sessionId` (`artifacts.md` 2). */
export interface NamedArtifact {
  readonly artifactId?: string | null;
  readonly sessionId?: string | null;
}

/** @throws InvalidInput without an id; DomainError `invalid` for two different ones. */
export function artifactIdOf({ artifactId, sessionId }: NamedArtifact): string {
  const ids = [artifactId, sessionId].filter((id): id is string => typeof id === 'string');
  const [id, other] = ids.map((each) => each.trim().toLowerCase());
  if (id === undefined) throw new InvalidInput([{ argument: 'artifactId', sentence: 'is required.' }]);
  if (other !== undefined && other !== id) {
    throw new DomainError('invalid', 'invalid', 'Pass sessionId or artifactId, not two different ids.');
  }
  return id;
}
