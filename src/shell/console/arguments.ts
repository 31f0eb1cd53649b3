import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';

/** A moment in ISO 8601. @throws InvalidArgumentError with an example. */
export function time(given: string): Date {
  const parsed = new Date(given);
  if (Number.isNaN(parsed.getTime())) {
    throw new InvalidArgumentError('Write it as 2026-01-31T09:00:00Z.');
  }
  return parsed;
}

/** A count from 1. @throws InvalidArgumentError for anything else. */
export function whole(given: string): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('Write a whole number above 0.');
  }
  return number;
}

/** Asks at a terminal; undefined when there is none, or for an empty answer. */
export async function askPassword(): Promise<string | undefined> {
  if (!stdin.isTTY) return undefined;
  const prompt = createInterface({ input: stdin, output: stdout });
  const answer = await prompt.question('Password (empty: one is made): ');
  prompt.close();
  return answer || undefined;
}
