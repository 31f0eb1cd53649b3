/** Slow hashes of passwords. A few run at a time; the others wait. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  abstract matches(hash: string, password: string): Promise<boolean>;
  /** Takes the time of `matches` and is always false: for addresses that nobody has. */
  abstract matchesNobody(password: string): Promise<false>;
  /** True when the hash was made with other parameters than those of today. */
  abstract isOutdated(hash: string): boolean;
}
