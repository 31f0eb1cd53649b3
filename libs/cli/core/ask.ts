import { createInterface } from 'node:readline/promises';
import { ExitCode } from './exit-codes.js';
import { Failure } from './failure.js';

/** Asks for yes or no; anything but yes is no. */
export async function confirm(question: string): Promise<boolean> {
  return /^(y|yes)$/i.test(await line(`${question} [y/N] `));
}

/** Asks for one of a list by its number. */
export async function choose(question: string, options: readonly string[]): Promise<number> {
  process.stderr.write(`${question}\n`);
  for (const [index, option] of options.entries()) process.stderr.write(`  ${index + 1}. ${option}\n`);
  for (;;) {
    const number = Number(await line(`Number (1-${options.length}): `));
    if (Number.isInteger(number) && number >= 1 && number <= options.length) return number - 1;
  }
}

async function line(prompt: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((done, fail) => {
    reader.once('close', () =>
      fail(new Failure(ExitCode.interrupted, 'no answer came', 'run the command again')),
    );
    reader.question(prompt).then((answer) => {
      done(answer.trim());
      reader.close();
    }, fail);
  });
}
