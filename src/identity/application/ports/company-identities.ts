export interface CompanyIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly personId: string;
  /** True when the group of the issuer made the person an administrator. */
  readonly adminByGroup: boolean;
}

/** Who people are at the issuer. Within a unit of work. */
export abstract class CompanyIdentities {
  /** Waits for whoever signs in as the same subject at the moment. */
  abstract find(issuer: string, subject: string): Promise<CompanyIdentity | null>;
  /** True when a person is known to the issuer under another subject. */
  abstract hasAnother(issuer: string, subject: string, personId: string): Promise<boolean>;
  /** Keeps it, and notes its use. */
  abstract save(identity: CompanyIdentity): Promise<void>;
}
