import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium to test with, or null: `LOUPE_CHROMIUM`, one of the system, or the one inside an npm package. */
export async function findBrowser() {
  const given = process.env.LOUPE_CHROMIUM;
  if (given) return given;
  const found = PLACES.find((path) => existsSync(path));
  if (found) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
