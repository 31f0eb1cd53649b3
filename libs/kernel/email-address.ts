import type { Problems } from './errors.js';
import { codePoints } from './text.js';

const MAX_LENGTH = 254;

/** Form in which addresses are compared: people type the same one with other capitals. */
export function comparableEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The address as typed, trimmed. What is wrong with it is added to `problems` under `email`. */
export function emailAddress(problems: Problems, value: string): string {
  const email = value.trim();
  if (email === '') problems.add('email', 'Enter an e-mail address.');
  else if (codePoints(email) > MAX_LENGTH) problems.add('email', `Use at most ${MAX_LENGTH} characters.`);
  else if (
    !/^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}.]+(\.[^\s@<>()[\],;:"\\\p{Cc}.]+)*$/u.test(email)
  ) {
    problems.add('email', 'Enter an address with a name, an @ and a host, such as ines@example.com.');
  }
  return email;
}
