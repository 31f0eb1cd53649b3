/**
 * Milliseconds of processor time that `work` takes. Limits of time are tested by it, because the
 * clock also counts what other programs on the machine do.
 */
export function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
