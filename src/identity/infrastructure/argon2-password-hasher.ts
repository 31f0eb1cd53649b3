import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import { PasswordHasher } from '../application/ports/password-hasher.js';

/** Argon2id with 19 MiB, 2 passes, 1 lane (`identity.md` 2.1). */
const PARAMETERS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** The pool of threads is shared with file access and DNS: more hashes at once would hold those up. */
const AT_ONCE = 4;

/** Hashes on the thread pool, off the event loop. */
@Injectable()
export class Argon2PasswordHasher extends PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private nobody: Promise<string> | undefined;

  override hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, PARAMETERS));
  }

  override matches(stored: string, password: string): Promise<boolean> {
    // Nobody may tell from the time that an account has no password.
    if (stored === '') return this.matchesNobody(password);
    return this.inTurn(() => verify(stored, password).catch(() => false));
  }

  override async matchesNobody(password: string): Promise<false> {
    this.nobody ??= hash('nobody has this password', PARAMETERS);
    await this.matches(await this.nobody, password);
    return false;
  }

  override isOutdated(stored: string): boolean {
    return !CURRENT.test(stored);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await new Promise<void>((go) => this.waiting.push(go));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The turn goes to whoever waits longest, so the count stays.
      if (next) next();
      else this.running -= 1;
    }
  }
}
