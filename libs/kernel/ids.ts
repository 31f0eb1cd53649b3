import { randomBytes } from 'node:crypto';

/** Makes ids. Tests fix them; see `testing/counting-ids.ts`. */
export abstract class Ids {
  /** A fresh UUID version 7 in lower case. */
  abstract next(): string;
}

/** UUID version 7 (RFC 9562 5.7): 48 bits of Unix milliseconds, then a counter-free random tail. */
export class UuidV7Ids extends Ids {
  private lastMs = 0;
  private sequence = 0;

  override next(): string {
    let ms = Date.now();
    // Ids made in one process in the same millisecond still sort in the order they were made.
    if (ms <= this.lastMs) {
      ms = this.lastMs;
      this.sequence += 1;
      if (this.sequence > 0xfff) {
        ms += 1;
        this.sequence = 0;
      }
    } else {
      this.sequence = 0;
    }
    this.lastMs = ms;
    const tail = randomBytes(8);
    const time = ms.toString(16).padStart(12, '0');
    const counter = this.sequence.toString(16).padStart(3, '0');
    const variant = ((tail[0]! & 0x3f) | 0x80).toString(16).padStart(2, '0');
    const rest = tail.toString('hex').slice(2);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${rest.slice(0, 2)}-${rest.slice(2, 14)}`;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for any textual UUID; compare and store ids in lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
