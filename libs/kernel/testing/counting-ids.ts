import { Ids } from '../ids.js';

/** Ids that count: 00000000-0000-7000-8000-000000000001, … */
export class CountingIds extends Ids {
  private count = 0;

  override next(): string {
    this.count += 1;
    return `00000000-0000-7000-8000-${this.count.toString(16).padStart(12, '0')}`;
  }
}
