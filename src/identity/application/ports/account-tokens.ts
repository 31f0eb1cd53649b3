import type { AccountToken, TokenPurpose } from '../../domain/account-token.js';

export interface FoundToken {
  readonly id: string;
  readonly personId: string | null;
  readonly purpose: TokenPurpose;
  readonly email: string | null;
}

/** Links that are good once. Expiry is judged by the clock of the database. */
export abstract class AccountTokens {
  /** Keeps a token; older ones of its purpose and person (or invited address) are burned. @returns when it expires. */
  abstract issue(token: AccountToken): Promise<Date>;
  /** A token that is still good, untouched. */
  abstract find(hash: string, purposes: readonly TokenPurpose[]): Promise<FoundToken | null>;
  /** Uses a token up; of two callers at once one gets it. */
  abstract take(hash: string, purposes: readonly TokenPurpose[]): Promise<FoundToken | null>;
  /** Burns what a person has not used yet. */
  abstract burn(personId: string, purposes: readonly TokenPurpose[]): Promise<void>;
  /** Deletes what is long over, at most `limit`. @returns how many. */
  abstract purge(limit: number): Promise<number>;
}
