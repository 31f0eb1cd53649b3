import { Injectable } from '@nestjs/common';
import type { TokenPurpose } from '../../domain/account-token.js';
import { AccountLinks } from '../account-links.js';
import { Persons } from '../ports/persons.js';

export interface LookedUpLink {
  readonly purpose: TokenPurpose;
  /** The address that the link is about: the one to prove, the new one, or that of the account. */
  readonly email: string;
}

/** What the page of a link says before anything is done with it; null when the link no longer works. */
@Injectable()
export class LookUpLink {
  constructor(
    private readonly links: AccountLinks,
    private readonly persons: Persons,
  ) {}

  async execute(value: string, purposes: readonly TokenPurpose[]): Promise<LookedUpLink | null> {
    const found = await this.links.find(value, purposes);
    const person = found?.personId ? await this.persons.byId(found.personId) : null;
    if (!found || !person || person.state === 'suspended') return null;
    return { purpose: found.purpose, email: found.email ?? person.snapshot().email };
  }
}
