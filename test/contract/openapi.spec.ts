import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Configuration } from '#libs/configuration/configuration.js';
import { AppModule } from '#src/app.module.js';
import { openApiDocument } from '#src/openapi.js';
import { TestDatabase } from '../support/test-database.js';

const SNAPSHOT = join(applicationRoot, 'docs', 'openapi.json');

/** `UPDATE_SNAPSHOTS=1` writes the file anew; the change is then reviewed like any other. */
it('docs/openapi.json tells the API as the controllers have it', async () => {
  const test = await TestDatabase.start();
  const configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    LOUPE_ROLE: 'web',
    DATABASE_URL: test.url,
    APP_SECRET: 'a secret that is only for this suite, of some length',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const app = await NestFactory.create(AppModule.with(configuration, test.database), { logger: ['error'] });
  try {
    const document = `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(SNAPSHOT, document);
    expect(document).toBe(await readFile(SNAPSHOT, 'utf8'));
  } finally {
    await app.close();
    await test.stop();
  }
});
