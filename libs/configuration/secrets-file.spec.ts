import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration } from './configuration.js';
import { withLocalSecrets } from './secrets-file.js';

describe('secrets of the local profile', () => {
  let varDir: string;

  beforeEach(async () => {
    varDir = await mkdtemp(join(tmpdir(), 'loupe-secrets-'));
  });

  afterEach(() => rm(varDir, { recursive: true }));

  const load = (env: NodeJS.ProcessEnv = {}) =>
    withLocalSecrets(Configuration.fromEnvironment({ LOUPE_VAR_DIR: varDir, ...env })).values;

  it('platform 19.31: are made once, and kept for the owner alone', async () => {
    const first = load();
    expect(first.appSecret!.length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(first.encryptionKey!, 'base64')).toHaveLength(32);
    expect(load()).toEqual(first);
    expect((await stat(join(varDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('a variable that is set wins and is not stored', async () => {
    const appSecret = 'a secret of the environment, long enough';
    expect(load({ APP_SECRET: appSecret }).appSecret).toBe(appSecret);
    expect(await readFile(join(varDir, 'secrets.json'), 'utf8')).not.toContain(appSecret);
  });

  it('nothing is made in prod', async () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    load({
      APP_ENV: 'prod',
      DEFAULT_URI: 'https://x.example',
      APP_SECRET: 'x'.repeat(32),
      APP_ENCRYPTION_KEY: key,
    });
    await expect(stat(join(varDir, 'secrets.json'))).rejects.toThrow('ENOENT');
  });
});
