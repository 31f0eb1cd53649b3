import { DELETED_PERSON, PersonDirectory } from '../application/ports/person-directory.js';

/** People that a test names by id; everybody else has gone. Nobody is found by an address. */
export class NamedPeople extends PersonDirectory {
  readonly known = new Map<string, string>();

  override async names(ids: readonly string[]): Promise<Map<string, string>> {
    return new Map(ids.map((id) => [id, this.known.get(id) ?? DELETED_PERSON]));
  }

  override async byVerifiedEmail(): Promise<null> {
    return null;
  }

  override async isActive(id: string): Promise<boolean> {
    return this.known.has(id);
  }
}
