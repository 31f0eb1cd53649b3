import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';

/** Folder of the built web app. */
export const webFolder = join(applicationRoot, 'dist', 'web');

let page: string | null = null;

/** The one HTML page of the app, as the build made it. @throws Error when the app is not built. */
export function appShell(): string {
  page ??= readFileSync(join(webFolder, 'index.html'), 'utf8');
  return page;
}
