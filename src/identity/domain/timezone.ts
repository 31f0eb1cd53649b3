import type { Problems } from '#libs/kernel/errors.js';

/** An IANA name that this server knows, else a problem under `timezone`. */
export function timezone(problems: Problems, value: string): string {
  try {
    // Offsets such as +02:00 are accepted by Intl, but say nothing about summer time.
    if (/^[A-Za-z]/.test(value))
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone && value;
  } catch {
    // falls through to the refusal
  }
  problems.add('timezone', 'Choose a timezone by its IANA name, such as Europe/Berlin.');
  return value;
}
