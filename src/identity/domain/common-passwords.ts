import { STEMS } from './common-password-stems.js';

/** Size of the list (`identity.md` 4.2). */
export const COMMON_PASSWORDS = 10_000;

const MIN_LENGTH = 12;
const LONGEST_RUN = 24;

/** How people stretch a well-known password until a form takes it, the usual ways first. */
const ENDINGS = [
  '',
  '1',
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  '!',
  '1!',
  '123!',
  '1234!',
  '!!!',
  '01',
  '12',
  '2020',
  '2021',
  '2022',
  '2023',
  '2024',
  '2025',
  '2026',
  '2024!',
  '2025!',
  '2026!',
  '111',
  '1111',
  '0000',
  '007',
  '321',
  '4321',
  '654321',
  'abc',
  'abc123',
  'qwerty',
  'password',
];

let known: ReadonlySet<string> | undefined;

/** True for a password that guessers try first, whatever its capitals and with the usual look-alike signs. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(commonPasswords());
  const lower = password.toLowerCase();
  return known.has(lower) || known.has(plain(lower));
}

/**
 * The list: keyboard runs and repeated words first, then each well-known word with the endings that people add. Shorter
 * ones are left out, for the length rule refuses them already.
 */
export function commonPasswords(): string[] {
  const list = new Set<string>();
  const add = (candidate: string): void => {
    if (candidate.length >= MIN_LENGTH && list.size < COMMON_PASSWORDS) list.add(candidate);
  };
  for (const run of RUNS) for (const text of cutRuns(run)) add(text);
  for (const stem of STEMS) for (const text of repeated(stem)) add(text);
  for (const ending of ENDINGS) for (const stem of STEMS) add(stem + ending);
  for (const first of STEMS) for (const second of STEMS.slice(0, 60)) add(first + second);
  return [...list];
}

const RUNS = [
  '1234567890',
  '0123456789',
  '0987654321',
  '9876543210',
  '123456789',
  '987654321',
  'qwertyuiop',
  'qwertyuiopasdfghjklzxcvbnm',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertz',
  'qwertzuiop',
  'azerty',
  'azertyuiop',
  '1q2w3e4r5t6y',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'qazwsxedcrfv',
  'q1w2e3r4t5y6',
  '147258369',
  '123123123',
  '112233445566',
  'aabbccddeeff',
  'abcd1234',
  'abc123abc123',
  '1234qwerasdf',
  'qwerty123456',
  ...'0123456789abcdefghijklmnopqrstuvwxyz',
];

/** A run again and again, cut at every length from 12 to 24, or to its own if that is longer. */
function cutRuns(run: string): string[] {
  const longest = Math.max(LONGEST_RUN, run.length);
  const text = run.repeat(Math.ceil(longest / run.length));
  return Array.from({ length: longest - MIN_LENGTH + 1 }, (_, more) => text.slice(0, MIN_LENGTH + more));
}

/** A word two, three and more times. */
function repeated(word: string): string[] {
  const times = Math.floor(LONGEST_RUN / word.length);
  return Array.from({ length: times }, (_, more) => word.repeat(more + 1));
}

/** Undoes the signs that stand in for letters before the ending: `p@ssw0rd1234` is `password1234`. */
function plain(text: string): string {
  const [, word = text, ending = ''] = /^(.*[a-z])([^a-z]*)$/.exec(text) ?? [];
  const letters: Readonly<Record<string, string>> = {
    '@': 'a',
    '4': 'a',
    '3': 'e',
    '1': 'i',
    '!': 'i',
    '0': 'o',
    $: 's',
    '5': 's',
    '7': 't',
  };
  return word.replace(/[@431!0$57]/g, (sign) => letters[sign]!) + ending;
}
