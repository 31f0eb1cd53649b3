import { Clock } from '../clock.js';

/** A clock that moves only when told. */
export class FixedClock extends Clock {
  constructor(private time = new Date('2026-01-05T09:00:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.time);
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}
