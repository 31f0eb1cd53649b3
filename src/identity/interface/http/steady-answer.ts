import { setTimeout as pause } from 'node:timers/promises';

const LEAST_MILLISECONDS = 300;

/** Answers no sooner than after 300 ms, so that the time does not tell whether there was something to do. */
export async function steadyAnswer<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, pause(LEAST_MILLISECONDS)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
