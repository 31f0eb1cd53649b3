import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from './application-root.js';
import { Configuration, ConfigurationError } from './configuration.js';

/** Every name that a start looks up, whichever way its other variables lead it. */
function namesRead(): Set<string> {
  const names = new Set<string>();
  const recorder = (values: Record<string, string>) =>
    new Proxy(values, {
      get: (target, name) => {
        names.add(String(name));
        return target[String(name)];
      },
    });
  const all = {
    APP_ENV: 'test',
    BLOB_STORAGE: 's3',
    OIDC_ISSUER: 'https://id.example',
    MAILER_DSN: 'smtp://mail.example',
    ARTIFACT_MODEL_BASE_URL: 'https://models.example',
    ARTIFACT_MODEL_NAME: 'maker',
  };
  for (const values of [{}, all]) {
    try {
      Configuration.fromEnvironment(recorder(values));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
  return names;
}

it('platform 13: the page of the environment names every variable that is read, and no other', () => {
  const page = readFileSync(join(applicationRoot, 'docs/operating/environment.md'), 'utf8');
  const named = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split(' | ', 1)[0]!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!));
  expect([...named].sort()).toEqual([...namesRead()].sort());
});
