import { ExitCode } from './core/exit-codes.js';
import { run } from './program.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: this is Node.js ${process.versions.node}: install 20.19 or newer\n`);
  process.exit(ExitCode.failed);
}

process.once('SIGINT', () => process.exit(ExitCode.interrupted));
// A reader that went away (`loupe … | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(ExitCode.done);
});

const code = await run(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
});
// What still hangs, such as a connection that nobody waits for, must not keep the process.
process.stdout.write('', () => process.exit(code));
