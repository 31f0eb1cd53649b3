import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Chromium to test with; `npm test` finds one and says so when there is none. */
export const browserPath =
  process.env.LOUPE_CHROMIUM || (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : '');

/** `describe` where a browser is at hand; `npm test` prints a line where it is not. */
export const describeInBrowser = browserPath ? describe : describe.skip;

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Collects what a page should never have: script errors, console errors, requests to other hosts. */
export function watch(page: Page, origin: string): { readonly errors: string[]; readonly foreign: string[] } {
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url);
  });
  return { errors, foreign };
}
