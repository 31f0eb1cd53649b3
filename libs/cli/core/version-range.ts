/**
 * Is a version inside a caret range such as `^1.0` or `^0.1`? The first part that is not zero must be the same, and the
 * rest no lower. Any other form of a range fits nothing.
 */
export function fits(version: string, range: string): boolean {
  const lowest = /^\^(\d+)\.(\d+)(?:\.(\d+))?$/.exec(range);
  const given = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (!lowest || !given) return false;
  const from = lowest.slice(1, 4).map((part) => Number(part ?? 0));
  const have = given.slice(1, 4).map(Number);
  const fixed = Math.max(
    0,
    from.findIndex((part) => part !== 0),
  );
  for (let index = 0; index <= fixed; index += 1) if (have[index] !== from[index]) return false;
  for (let index = fixed + 1; index < 3; index += 1) {
    if (have[index]! !== from[index]!) return have[index]! > from[index]!;
  }
  return true;
}
