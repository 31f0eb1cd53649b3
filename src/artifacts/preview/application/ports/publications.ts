export interface Publication {
  readonly artifactId: string;
  readonly projectId: string;
  readonly subdomain: string;
  /** Null while it is not published; the subdomain stays reserved. */
  readonly version: number | null;
  readonly publishedAt: Date;
  readonly publishedBy: string | null;
  readonly takenDownReason: string | null;
}

/** Published apps: at most one publication an artifact. */
export abstract class Publications {
  /** `lock` holds the row until the running unit of work ends. */
  abstract of(artifactId: string, options?: { readonly lock: boolean }): Promise<Publication | null>;
  /** Published now or not: a name is never given twice. */
  abstract bySubdomain(subdomain: string): Promise<Publication | null>;
  /** False when another artifact has the subdomain. */
  abstract add(publication: Publication): Promise<boolean>;
  abstract save(publication: Publication): Promise<void>;
}
