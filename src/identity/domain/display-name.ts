import type { Problems } from '#libs/kernel/errors.js';
import { codePoints } from '#libs/kernel/text.js';

const MAX_LENGTH = 100;

/** The name as typed, trimmed; `0` is a name. What is wrong with it is added to `problems` under `displayName`. */
export function displayName(problems: Problems, value: string): string {
  const name = value.trim();
  if (name === '') problems.add('displayName', 'Enter the name that others see.');
  else if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) {
    problems.add('displayName', 'Use one line without control characters.');
  } else if (codePoints(name) > MAX_LENGTH) {
    problems.add('displayName', `Use at most ${MAX_LENGTH} characters.`);
  }
  return name;
}
