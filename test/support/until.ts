/** Waits until `condition` holds. @throws Error with `what` after `ms` milliseconds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = 10_000,
  what = 'It did not happen in time.',
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(what);
    await pause(20);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
