import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import {
  type NewAccountToken,
  newAccountToken,
  type TokenPurpose,
  tokenHashOf,
} from '../domain/account-token.js';
import { AccountTokens, type FoundToken } from './ports/account-tokens.js';

export interface IssuedLink {
  readonly id: string;
  /** Stands in the link and nowhere else. */
  readonly value: string;
  readonly expiresAt: Date;
}

/** Makes the values of links, and takes them back once. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly tokens: AccountTokens,
    private readonly ids: Ids,
  ) {}

  async issue(wanted: Omit<NewAccountToken, 'id'>): Promise<IssuedLink> {
    const { token, value } = newAccountToken({ ...wanted, id: this.ids.next() });
    const expiresAt = await this.tokens.issue(token);
    return { id: token.id, value, expiresAt };
  }

  /** What a link is about, while it is good. */
  async find(value: string, purposes: readonly TokenPurpose[]): Promise<FoundToken | null> {
    const hash = tokenHashOf(value);
    return hash === null ? null : this.tokens.find(hash, purposes);
  }

  /** Uses a link up, within the unit of work of what it stands for. @throws DomainError `link_gone`. */
  async take(value: string, purposes: readonly TokenPurpose[]): Promise<FoundToken> {
    const hash = tokenHashOf(value);
    const found = hash === null ? null : await this.tokens.take(hash, purposes);
    if (!found) throw linkGone();
    return found;
  }

  async burn(personId: string, purposes: readonly TokenPurpose[]): Promise<void> {
    await this.tokens.burn(personId, purposes);
  }
}

/** One answer for links that were used, that expired and that never were. */
export function linkGone(): DomainError {
  return new DomainError('not-found', 'link_gone', 'This link no longer works.');
}
