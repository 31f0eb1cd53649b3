import type { Problems } from '#libs/kernel/errors.js';
import type { Preferences } from './person.js';

const KEYS_MAX = 50;

/** Small settings by name; what is wrong is added to `problems` under `preferences`. */
export function checkedPreferences(problems: Problems, value: unknown): Preferences {
  const wrong = (sentence: string): Preferences => {
    problems.add('preferences', sentence);
    return {};
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('Send an object.');
  const entries = Object.entries(value);
  if (entries.length > KEYS_MAX) return wrong(`Send at most ${KEYS_MAX} settings.`);
  for (const [name, setting] of entries) {
    if (!/^[a-z][A-Za-z0-9.]{0,63}$/.test(name)) return wrong('Name settings with letters, digits and dots.');
    const small =
      setting === null ||
      typeof setting === 'boolean' ||
      (typeof setting === 'number' && Number.isFinite(setting)) ||
      (typeof setting === 'string' && setting.length <= 200 && !setting.includes('\0'));
    if (!small) return wrong(`Use a switch, a number or a text of at most 200 characters for ${name}.`);
  }
  return Object.fromEntries(entries) as Preferences;
}
