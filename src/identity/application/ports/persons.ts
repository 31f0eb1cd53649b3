import type { Person } from '../../domain/person.js';

/** The people of the instance. Within a unit of work a read locks the row until its end. */
export abstract class Persons {
  /** Null for unknown people and those who are being deleted. */
  abstract byId(id: string): Promise<Person | null>;
  /** Compared without case. Null for unknown people and those who are being deleted. */
  abstract byEmail(email: string): Promise<Person | null>;
  /** @throws DomainError `taken` when somebody has the address. */
  abstract add(person: Person): Promise<void>;
  /** @throws DomainError `taken` when somebody has the new address. */
  abstract save(person: Person): Promise<void>;
  /** Notes the project that a person looks at. It is no fact of the account, so `save` leaves it alone. */
  abstract rememberProject(personId: string, projectId: string): Promise<void>;
  /** Everybody with an account. */
  abstract count(): Promise<number>;
  /** True once an admin exists. */
  abstract anyAdmin(): Promise<boolean>;
  /** Active admins beside this person; locks them, so that two of them cannot go at once. */
  abstract otherActiveAdmins(id: string): Promise<number>;
  /** Waits for whoever installs at the moment; held until the end of the unit of work. */
  abstract lockInstallation(): Promise<void>;
}
