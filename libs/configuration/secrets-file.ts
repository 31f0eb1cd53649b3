import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Configuration } from './configuration.js';

interface Secrets {
  readonly appSecret: string;
  readonly encryptionKey: string;
}

/**
 * Fills in the secrets of the `local` and `test` profiles from `secrets.json` in the var folder (mode 0600), making
 * them once. A variable that is set wins and is not stored. In `prod` nothing is made or read.
 */
export function withLocalSecrets(configuration: Configuration): Configuration {
  const { values } = configuration;
  if (values.profile === 'prod' || (values.appSecret && values.encryptionKey)) return configuration;
  const secrets = readOrMake(values.varDir);
  return new Configuration({
    ...values,
    appSecret: values.appSecret ?? secrets.appSecret,
    encryptionKey: values.encryptionKey ?? secrets.encryptionKey,
  });
}

function readOrMake(varDir: string): Secrets {
  const path = join(varDir, 'secrets.json');
  mkdirSync(varDir, { recursive: true });
  const draft = join(varDir, `.secrets-${process.pid}-${randomBytes(4).toString('hex')}.json`);
  const made: Secrets = {
    appSecret: randomBytes(48).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  try {
    // A link is all or nothing, so two processes that start together end with the same secrets.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
}
