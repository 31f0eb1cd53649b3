/** Name of everybody who has gone. */
export const DELETED_PERSON = 'Deleted person';

/** Under this key a request remembers that a person is active, see `onceARequest`. */
export function activePersonKey(personId: string): string {
  return `person-active ${personId}`;
}

/** Names of people, for every context. */
export abstract class PersonDirectory {
  /** Display names by id; deleted and unknown people are `DELETED_PERSON`. */
  abstract names(ids: readonly string[]): Promise<Map<string, string>>;
  /** An active person with this verified address, compared without case. */
  abstract byVerifiedEmail(email: string): Promise<{ id: string; displayName: string } | null>;
  abstract isActive(personId: string): Promise<boolean>;
}
