import { stdout } from 'node:process';

/** A line for whoever gave the command. */
export function say(line: string): void {
  stdout.write(`${line}\n`);
}

/** A count with its noun: "1 mail", "2 mails". */
export function times(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
