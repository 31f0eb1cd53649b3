/** What a browser brings back from the issuer is checked against this; it is kept sealed in a cookie meanwhile. */
export interface CompanyRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the issuer says of somebody. */
export interface CompanyClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** Empty also when the issuer tells none. */
  readonly groups: readonly string[];
  /** Names this sign-in to the issuer when it is to end. */
  readonly idToken: string | null;
}

/** The issuer of company sign-in (OpenID Connect). */
export abstract class CompanyIssuer {
  /**
   * Where the browser goes to sign in; `again` makes the issuer ask anew.
   * @throws DomainError `issuer_away`; `not_found` when company sign-in is off.
   */
  abstract begin(options: { readonly again: boolean }): Promise<{ address: string; request: CompanyRequest }>;
  /**
   * Checks the way back. `search` is the query of the address.
   * @throws DomainError `issuer_away`, `sign_in_cancelled`, `sign_in_refused`.
   */
  abstract finish(search: string, request: CompanyRequest): Promise<CompanyClaims>;
  /** Why the issuer cannot be used at the moment; null when it can. Asks it anew. */
  abstract problem(): Promise<string | null>;
  /** Where the browser goes to sign out there; null when the issuer has no such place or does not answer. */
  abstract signOutAddress(idToken: string): Promise<string | null>;
}
