import 'reflect-metadata';
import { Configuration, ConfigurationError } from '#libs/configuration/configuration.js';
import { withLocalSecrets } from '#libs/configuration/secrets-file.js';
import { freePortFrom } from './free-port.js';
import { type RunningServer, startServer } from './server.js';

/** Starts one process of Loupe: web, worker or both. Ends with 1 and a plain sentence when it cannot. */
async function main(): Promise<void> {
  const server = await startServer(withLocalSecrets(Configuration.fromEnvironment(await withFreePort())));
  const stop = once(() => {
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  tell(server);
}

/** A second Ctrl+C changes nothing: the first stop goes on. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** In the local profile with no port asked for, an instance beside another one takes the next free port. */
async function withFreePort(): Promise<NodeJS.ProcessEnv> {
  const { env } = process;
  if ((env.APP_ENV ?? 'local') !== 'local' || env.PORT || env.DEFAULT_URI) return env;
  const port = await freePortFrom(3000);
  if (port !== 3000) {
    process.stdout.write(
      `Port 3000 is in use, so this instance takes ${port}. Set PORT to choose one yourself.\n`,
    );
  }
  return { ...env, PORT: String(port) };
}

function tell({ configuration, installed }: RunningServer): void {
  const { values } = configuration;
  if (values.profile === 'prod') return;
  if (values.role === 'worker') {
    process.stdout.write('\n  A worker of Loupe takes jobs now\n  Stop with Ctrl+C\n\n');
    return;
  }
  const next = installed
    ? 'Open it and sign in.'
    : `Open ${values.defaultUri}/install to create the first account.`;
  process.stdout.write(
    `\n  Loupe is running at ${values.defaultUri}\n  ${next}\n  Agents connect to ${values.defaultUri}/mcp\n  Stop with Ctrl+C; data is kept in ${values.varDir}\n\n`,
  );
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigurationError || (error instanceof Error && error.name === 'StartError');
  process.stderr.write(
    `${expected || !(error instanceof Error) ? String((error as Error).message ?? error) : error.stack}\n`,
  );
  process.exit(1);
});
