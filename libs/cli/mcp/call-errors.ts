import { Failure } from '../core/failure.js';

/** One call ends with this message of the protocol; the process goes on. */
export class CallError extends Error {}

/** The server did not answer for as long as a call may wait. */
export class Tired extends CallError {
  constructor() {
    super('Loupe did not answer for 60 s. Try again.');
  }
}

/** The whole process ends: nothing later can succeed. */
export class End extends Failure {}
