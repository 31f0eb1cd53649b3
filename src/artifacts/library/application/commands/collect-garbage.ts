import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { BlobCollection } from '../ports/blob-collection.js';

const AGE_MS = 24 * 3_600_000;
const BATCH = 500;
const CHECKED = 200;

/** Every night: bytes that nothing has referred to for a day go, and some of the rest are looked at. */
@Injectable()
export class CollectGarbage {
  constructor(
    private readonly collection: BlobCollection,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<{ readonly collected: number; readonly damaged: number }> {
    const before = new Date(this.clock.now().getTime() - AGE_MS);
    let collected = 0;
    for (;;) {
      const some = await this.collection.collect(before, BATCH);
      collected += some;
      if (some < BATCH) break;
    }
    const damaged = await this.collection.check(CHECKED);
    return { collected, damaged: damaged.length };
  }
}
