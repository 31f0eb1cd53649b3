import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { browserPath, openBrowser } from '../support/browser.js';
import { CliMachine } from '../support/cli-machine.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn, sql } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

const SHOP = join(applicationRoot, 'libs', 'cli', 'testing', 'canvases', 'shop');

/** The built command against the built server: a person pushes, an agent reads, a browser looks. */
describe('loupe artifact push to a real Loupe', () => {
  let server: LoupeServer;
  let visitor: Visitor;
  let projectId: string;
  let machine: CliMachine;

  const push = async (...args: string[]) => {
    const { code, stdout, stderr } = await machine.run(['artifact', 'push', ...args, '--json']);
    return { code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
  };
  const read = async (artifactId: string, version: number, path: string) => {
    const query = new URLSearchParams({ path });
    const answer = await visitor.request(
      `/api/projects/${projectId}/artifacts/${artifactId}/files/${version}?${query}`,
    );
    if (!answer.ok) throw new Error(`${path} was not read: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    visitor = await signedIn(server.url);
    await liftRateLimit(visitor);
    for (const flag of ['artifacts.enabled', 'board.enabled']) {
      expect((await visitor.api('PUT', `/admin/flags/${flag}`, { value: true })).status).toBe(200);
    }
    projectId = await newProject(visitor, 'Shop');
    machine = new CliMachine();
    expect((await machine.login(server.url, visitor)).code).toBe(0);
    expect((await machine.run(['project', 'link', '--no-mcp'])).code).toBe(0);
  }, 120_000);

  afterAll(async () => {
    machine?.remove();
    await server?.stop();
  });

  it('artifacts 12: a folder makes version 1; unchanged makes none; one changed file uploads one blob and makes version 2', async () => {
    machine.write('site/index.html', '<h1>One</h1>');
    machine.write('site/css/main.css', 'h1 { color: red }');
    const first = await push('site', '--notes', 'First');
    expect([first.code, first.report, first.stderr]).toEqual([
      0,
      expect.objectContaining({ version: 1, uploadedFiles: 2 }),
      '',
    ]);
    const { artifactId } = first.report;
    expect(await read(artifactId, 1, 'css/main.css')).toBe('h1 { color: red }');
    const again = await push('site');
    expect([again.code, again.report]).toEqual([
      0,
      expect.objectContaining({ version: 1, unchanged: true, uploadedFiles: 0 }),
    ]);
    machine.write('site/index.html', '<h1>Two</h1>');
    const second = await push('site');
    expect([second.code, second.report]).toEqual([
      0,
      expect.objectContaining({ artifactId, version: 2, uploadedFiles: 1 }),
    ]);
    expect(await read(artifactId, 2, 'index.html')).toBe('<h1>Two</h1>');
    const list = await machine.run(['artifact', 'list']);
    expect([list.code, list.stdout]).toEqual([
      0,
      expect.stringContaining(`${artifactId}  site  (app, version 2, 2 files)`),
    ]);
    const open = await machine.run(['artifact', 'open', artifactId]);
    expect([open.code, open.stdout]).toEqual([0, `${first.report.url}\n`]);
  });

  it('artifacts 15: a push with a link or with two names that differ in case stores nothing', async () => {
    const before = (await sql<{ count: string }>(server, 'SELECT count(*) FROM artifacts.artifact'))[0]!
      .count;
    machine.write('linked/index.html', '<p>x</p>');
    symlinkSync('/etc/hosts', join(machine.folder, 'linked', 'hosts.txt'));
    expect((await push('linked')).code).toBe(1);
    machine.write('twice/index.html', '<p>x</p>');
    machine.write('twice/INDEX.html', '<p>x</p>');
    expect((await push('twice')).code).toBe(1);
    expect((await sql<{ count: string }>(server, 'SELECT count(*) FROM artifacts.artifact'))[0]!.count).toBe(
      before,
    );
  });

  it('what is not stored is named, an unknown card is refused, and a switched off part says so', async () => {
    machine.write('tools/index.html', '<p>x</p>');
    machine.write('tools/deploy.sh', '#!/bin/sh\n');
    const { code, report, stderr } = await push('tools');
    expect([code, report.skippedFiles.map(({ path }: { path: string }) => path)]).toEqual([0, ['deploy.sh']]);
    expect(stderr).toContain('not stored deploy.sh');
    const card = await push('tools', '--card', '999');
    expect([card.code, card.stderr]).toEqual([1, expect.stringMatching(/^error: .*999/)]);
    await visitor.api('PUT', '/admin/flags/artifacts.enabled', { value: false });
    const off = await push('tools');
    expect([off.code, off.stderr]).toEqual([1, expect.stringContaining('switched off')]);
    await visitor.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
  });

  it('artifacts 13 and cli 12.33: a canvas is stored as a plain page that works in the preview; again is no new version', async () => {
    cpSync(SHOP, join(machine.folder, 'shop'), { recursive: true });
    const { code, report } = await push('shop', '--entry', 'Shop.html');
    expect([code, report]).toEqual([0, expect.objectContaining({ version: 1, fileCount: 12 })]);
    const page = await read(report.artifactId, 1, 'Shop.html');
    expect([page.includes('Ines &amp; Co'), /https?:|support\.js/.test(page)]).toEqual([true, false]);
    expect(await read(report.artifactId, 1, 'Shop--stock-prices.html')).toContain('<h2>Cups</h2>');
    expect((await push('shop', '--entry', 'Shop.html')).report).toMatchObject({
      version: 1,
      unchanged: true,
      uploadedFiles: 0,
    });
    if (browserPath) await inPreview(report.artifactId);
  });

  const inPreview = async (artifactId: string) => {
    const browser: Browser = await openBrowser();
    try {
      const context = await browser.newContext();
      await context.addCookies(visitor.cookiesFor(server.url));
      const page: Page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const { body } = await visitor.api<{ frameUrl: string }>(
        'GET',
        `/projects/${projectId}/artifacts/${artifactId}/preview-ticket`,
      );
      await page.goto(body.frameUrl);
      await page.locator('body[data-mounted=yes]').waitFor();
      await page.getByRole('button', { name: 'Stock (2)' }).click();
      await page.getByRole('button', { name: 'One more Cups' }).click();
      await page.getByText('8 left').waitFor();
    } finally {
      await browser.close();
    }
  };
});
