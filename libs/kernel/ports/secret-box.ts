/** Secrets at rest: AES-256-GCM with the key id in the value, and keyed hashes. */
export abstract class SecretBox {
  abstract seal(plain: string): string;
  /** @throws when no known key opens it. */
  abstract open(sealed: string): string;
  /** True when `sealed` was sealed with the key of today, not with one that is only kept for reading. */
  abstract isCurrent(sealed: string): boolean;
  /** HMAC-SHA-256 in hex under a key derived from APP_SECRET for `purpose`. */
  abstract keyedHash(purpose: string, value: string): string;
  /** Keys for signing cookies, current first, derived from APP_SECRET and APP_SECRET_PREVIOUS. */
  abstract signingKeys(purpose: string): readonly string[];
}
