import { DELETED_PERSON, type PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { AuthorKind } from '../domain/document.js';

/** Who wrote something, as pages show it; an agent has no name. */
export interface AuthorAnswer {
  readonly kind: AuthorKind;
  readonly personId: string | null;
  readonly name: string | null;
}

/** Names of the people on one page, asked for in one go. */
export class People {
  private constructor(private readonly names: ReadonlyMap<string, string>) {}

  static async of(directory: PersonDirectory, ids: readonly (string | null)[]): Promise<People> {
    const known = [...new Set(ids.filter((id): id is string => id !== null))];
    return new People(known.length === 0 ? new Map() : await directory.names(known));
  }

  /** Null is somebody who has gone. */
  name(id: string | null): string {
    return (id !== null && this.names.get(id)) || DELETED_PERSON;
  }

  author(kind: AuthorKind, personId: string | null): AuthorAnswer {
    return kind === 'agent'
      ? { kind, personId: null, name: null }
      : { kind, personId, name: this.name(personId) };
  }
}
