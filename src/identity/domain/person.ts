import type { NewDomainEvent } from '#libs/kernel/domain-event.js';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { conflict } from '#libs/kernel/errors.js';

export type PersonState = 'unverified' | 'active' | 'suspended' | 'deleted';

/** Display settings that a person keeps with the account. */
export type Preferences = Readonly<Record<string, string | number | boolean | null>>;

export interface PersonFacts {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly emailVerifiedAt: Date | null;
  readonly isAdmin: boolean;
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  readonly deletionRequestedAt: Date | null;
  readonly lastLoginAt: Date | null;
  readonly timezone: string;
  readonly preferences: Preferences;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Stands where a hash would: no password matches it. */
export const NO_PASSWORD = '';

export interface NewPerson {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
}

/** Somebody with an account (`identity.md` 2.1). */
export class Person {
  private readonly happened: NewDomainEvent[] = [];

  private constructor(private facts: PersonFacts) {}

  /** A person whose address needs no proof: made by the install wizard, at the console or by an admin. */
  static createVerified(person: NewPerson, now: Date): Person {
    const made = new Person({
      ...person,
      emailVerifiedAt: now,
      suspendedAt: null,
      suspendedReason: null,
      deletionRequestedAt: null,
      lastLoginAt: null,
      timezone: 'UTC',
      preferences: {},
      createdAt: now,
      updatedAt: now,
    });
    made.note('PersonRegistered');
    return made;
  }

  /** Somebody who signed up and has not proved the address yet. */
  static register(person: Omit<NewPerson, 'isAdmin'>, now: Date): Person {
    const made = Person.createVerified({ ...person, isAdmin: false }, now);
    made.facts = { ...made.facts, emailVerifiedAt: null };
    return made;
  }

  static restore(facts: PersonFacts): Person {
    return new Person(facts);
  }

  get id(): string {
    return this.facts.id;
  }

  /** All fields, for the repository and for readers. */
  snapshot(): PersonFacts & { readonly emailLower: string } {
    return { ...this.facts, emailLower: comparableEmail(this.facts.email) };
  }

  get state(): PersonState {
    if (this.facts.deletionRequestedAt) return 'deleted';
    if (this.facts.suspendedAt) return 'suspended';
    return this.facts.emailVerifiedAt ? 'active' : 'unverified';
  }

  /** @returns whether anything changed. */
  verify(now: Date): boolean {
    if (this.facts.emailVerifiedAt) return false;
    this.change({ emailVerifiedAt: now }, now);
    this.note('PersonVerified');
    return true;
  }

  /** @returns whether anything changed. */
  promote(now: Date): boolean {
    if (this.facts.isAdmin) return false;
    this.change({ isAdmin: true }, now);
    this.note('PersonPromoted');
    return true;
  }

  /** @returns whether anything changed. @throws DomainError `conflict` for the last active admin. */
  suspend(reason: string | null, others: { readonly activeAdmins: number }, now: Date): boolean {
    if (this.facts.suspendedAt) return false;
    this.refuseIfLastAdmin(others);
    this.change({ suspendedAt: now, suspendedReason: reason }, now);
    this.note('PersonSuspended');
    return true;
  }

  /** @returns whether anything changed. @throws DomainError `conflict` for the last active admin. */
  demote(others: { readonly activeAdmins: number }, now: Date): boolean {
    if (!this.facts.isAdmin) return false;
    this.refuseIfLastAdmin(others);
    this.change({ isAdmin: false }, now);
    this.note('PersonDemoted');
    return true;
  }

  /** From here on the person counts as gone. @throws DomainError `conflict` for the last active admin. */
  requestDeletion(others: { readonly activeAdmins: number }, now: Date): void {
    this.refuseIfLastAdmin(others);
    // The address is free again at once; the rest goes with the row.
    this.change({ deletionRequestedAt: now, email: `${this.facts.id}@deleted.invalid` }, now);
    this.note('PersonDeleted');
  }

  /** @returns whether anything changed. */
  reinstate(now: Date): boolean {
    if (!this.facts.suspendedAt) return false;
    this.change({ suspendedAt: null, suspendedReason: null }, now);
    this.note('PersonReinstated');
    return true;
  }

  /** Names of the fields that changed. */
  edit(fields: Partial<Pick<PersonFacts, 'displayName' | 'timezone' | 'preferences'>>, now: Date): string[] {
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(
      (name) =>
        fields[name] !== undefined && JSON.stringify(fields[name]) !== JSON.stringify(this.facts[name]),
    );
    if (changed.length > 0) {
      this.change(Object.fromEntries(changed.map((name) => [name, fields[name]])), now);
    }
    return changed;
  }

  /** An address that the person has just proved. */
  changeEmail(email: string, now: Date): void {
    this.change({ email, emailVerifiedAt: now }, now);
  }

  /** True for people who have no password of their own: they sign in through their company or by a link. */
  get hasPassword(): boolean {
    return this.facts.passwordHash !== NO_PASSWORD;
  }

  /** A password that somebody else may have chosen is worth nothing. */
  dropPassword(now: Date): void {
    this.change({ passwordHash: NO_PASSWORD }, now);
  }

  /** A new secret that the person chose. */
  changePassword(passwordHash: string, now: Date): void {
    this.change({ passwordHash }, now);
    this.note('PasswordChanged');
  }

  /** The same secret under newer hash parameters. */
  rehash(passwordHash: string, now: Date): void {
    this.change({ passwordHash }, now);
  }

  signedIn(now: Date): void {
    this.facts = { ...this.facts, lastLoginAt: now };
  }

  /** Events since the last call. */
  takeEvents(): NewDomainEvent[] {
    return this.happened.splice(0);
  }

  private refuseIfLastAdmin(others: { readonly activeAdmins: number }): void {
    if (this.facts.isAdmin && this.state === 'active' && others.activeAdmins === 0) {
      throw conflict(
        'last_admin',
        'This is the last active administrator. Promote another administrator first.',
      );
    }
  }

  private change(fields: Partial<PersonFacts>, now: Date): void {
    this.facts = { ...this.facts, ...fields, updatedAt: now };
  }

  private note(type: string): void {
    const { id } = this.facts;
    this.happened.push({ type, aggregateId: id, personId: id, payload: { personId: id } });
  }
}
