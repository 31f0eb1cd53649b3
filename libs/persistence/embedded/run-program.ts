import { spawn } from 'node:child_process';
import type { ServerUser } from './server-user.js';

/**
 * Runs a program of PostgreSQL as that user.
 * @throws Error with what it wrote, when it ends with anything but 0
 */
export async function runProgram(command: string, args: string[], user: ServerUser | null): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString();
      });
    }
    child.on('error', fail);
    child.on('exit', (code) => {
      // pg_ctl hands its output on to the server, so the pipes would stay open for the life of the server.
      child.stdout.destroy();
      child.stderr.destroy();
      if (code === 0) done();
      else fail(new Error(`${command.split('/').at(-1)} ended with ${code}. ${output.trim()}`));
    });
  });
}

/** Whether that user may run it and it ends with 0. */
export async function runs(command: string, args: string[], user: ServerUser | null): Promise<boolean> {
  return runProgram(command, args, user).then(
    () => true,
    () => false,
  );
}
