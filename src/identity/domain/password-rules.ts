import { comparableEmail } from '#libs/kernel/email-address.js';
import type { Problems } from '#libs/kernel/errors.js';
import { codePoints } from '#libs/kernel/text.js';
import { isCommonPassword } from './common-passwords.js';

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 200;

/** Adds to `problems` under `password` what keeps a new password from being used. Spaces count: nothing is trimmed. */
export function checkNewPassword(problems: Problems, password: string, email: string): void {
  const length = codePoints(password);
  if (length < PASSWORD_MIN) problems.add('password', `Use at least ${PASSWORD_MIN} characters.`);
  else if (length > PASSWORD_MAX) problems.add('password', `Use at most ${PASSWORD_MAX} characters.`);
  else if (comparableEmail(password) === comparableEmail(email)) {
    problems.add('password', 'Use something other than your e-mail address.');
  } else if (isCommonPassword(password)) {
    problems.add('password', 'This password is on a list of common ones. Use one that is hard to guess.');
  }
}
