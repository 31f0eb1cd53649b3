import { DELETED_PERSON, PersonDirectory } from '../application/ports/person-directory.js';

export interface KnownPerson {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  /** Default `active`. */
  readonly state?: 'active' | 'unverified' | 'suspended' | 'deleted';
}

/** People kept in memory; the contract test beside it holds it to the real directory. */
export class InMemoryPersonDirectory extends PersonDirectory {
  private readonly people: Map<string, KnownPerson>;

  constructor(...people: KnownPerson[]) {
    super();
    this.people = new Map(people.map((person) => [person.id, person]));
  }

  override async names(ids: readonly string[]): Promise<Map<string, string>> {
    return new Map(ids.map((id) => [id, this.present(id)?.displayName ?? DELETED_PERSON]));
  }

  override async byVerifiedEmail(email: string): Promise<{ id: string; displayName: string } | null> {
    const wanted = email.trim().toLowerCase();
    for (const { id, displayName, email: own, state = 'active' } of this.people.values()) {
      if (state === 'active' && own.toLowerCase() === wanted) return { id, displayName };
    }
    return null;
  }

  override async isActive(personId: string): Promise<boolean> {
    const person = this.people.get(personId);
    return person !== undefined && (person.state ?? 'active') === 'active';
  }

  private present(id: string): KnownPerson | null {
    const person = this.people.get(id);
    return person && person.state !== 'deleted' ? person : null;
  }
}
