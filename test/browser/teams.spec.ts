import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  addMember,
  addPerson,
  adminEnv,
  liftRateLimit,
  newProject,
  signedIn,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const axe = readFileSync(join(applicationRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** The pages on which people share a project (`platform.md` 3.7), in a real browser. */
describeInBrowser('the pages of a team', () => {
  let server: LoupeServer;
  let owner: Visitor;
  let kim: Visitor;
  let projectId: string;
  let browser: Browser;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    projectId = await newProject(owner, 'Ferry bookings');
    const lee = await addPerson(server, 'lee@mail.example', 'Lee Sommer');
    await addMember(server, projectId, lee, 'viewer');
    await addPerson(server, 'kim@mail.example', 'Kim Berg');
    kim = await signedIn(server.origin, 'kim@mail.example');
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const windowOf = async (
    visitor: Visitor,
    options: Parameters<Browser['newContext']>[0] = { viewport: { width: 1440, height: 900 } },
  ): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    await context.addCookies(visitor.cookiesFor(server.origin));
    return context;
  };
  const members = () => `${server.origin}/projects/${projectId}/settings/members`;

  it('platform 3.7: a link is made, opened by another person, accepted, and the list follows by itself', async () => {
    const mine = await (await windowOf(owner)).newPage();
    const seen = watch(mine, server.origin);
    await mine.goto(members());
    await mine.getByRole('row', { name: /Lee Sommer/ }).waitFor();
    await mine.getByLabel('Role', { exact: true }).selectOption('member');
    await mine.getByRole('button', { name: 'Make a link' }).click();
    const link = ((await mine.locator('.codeblock code').textContent()) ?? '').trim();
    await mine.getByRole('row', { name: /Whoever opens the link first/ }).waitFor();

    const theirs = await (await windowOf(kim)).newPage();
    await theirs.goto(new URL(new URL(link).pathname, server.origin).href);
    await theirs.getByRole('heading', { name: 'Join Ferry bookings?' }).waitFor();
    await theirs.getByRole('button', { name: 'Accept' }).click();
    await theirs.waitForURL(`**/projects/${projectId}`);
    await mine.getByRole('row', { name: /Kim Berg/ }).waitFor();
    await mine.getByRole('row', { name: /Whoever opens the link first/ }).waitFor({ state: 'detached' });

    await theirs.goto(members());
    await theirs.getByRole('row', { name: /Kim Berg \(you\)/ }).waitFor();
    expect(await theirs.getByRole('heading', { name: 'Invite' }).count()).toBe(0);
    expect(await theirs.getByText('lee@mail.example').count()).toBe(0);

    await mine.getByLabel('Role of Kim Berg').selectOption('viewer');
    await mine.getByText('Kim Berg is Viewer now.').waitFor({ state: 'attached' });
    await until(async () =>
      ((await theirs.getByRole('row', { name: /Kim Berg/ }).textContent()) ?? '').includes('Viewer'),
    );

    await mine
      .getByRole('row', { name: /Kim Berg/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await mine.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await mine.getByRole('row', { name: /Kim Berg/ }).waitFor({ state: 'detached' });
    expect((await kim.open(`/projects/${projectId}`)).response.status).toBe(404);
    expect(seen.errors).toEqual([]);
  }, 60_000);

  it('platform 3.7: a used link says so and leads on', async () => {
    const page = await (await windowOf(kim)).newPage();
    await page.goto(`${server.origin}/invitations/${'a'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor();
    await page.getByRole('link', { name: 'Go to projects' }).click();
    await page.waitForURL('**/projects');
  });

  it('platform 3.7: the page that deletes an account names projects with members, and offers a transfer first', async () => {
    const page = await (await windowOf(owner)).newPage();
    await page.goto(`${server.origin}/account/delete`);
    await page.getByText('with 1 member.').waitFor();
    await page.getByRole('link', { name: 'Transfer it first' }).click();
    await page.getByRole('heading', { name: 'Transfer to another owner' }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'platform 3.6: no page of a team has a serious finding of axe, or is wider than the window, in the %s theme',
    async (colorScheme) => {
      const { body } = await owner.api<{ url: string }>('POST', `/projects/${projectId}/invitations`, {
        role: 'maintainer',
        email: `ned.${'the.longest.name.of.all'.repeat(2)}@subsidiary.department.a-very-long-company-name.example`,
      });
      const path = new URL(body.url).pathname;
      for (const width of [1440, 390, 320]) {
        const context = await windowOf(owner, { viewport: { width, height: 844 }, colorScheme });
        const page = await context.newPage();
        for (const [name, url] of [
          ['members', members()],
          ['settings', `${server.origin}/projects/${projectId}/settings`],
          ['delete', `${server.origin}/account/delete`],
          ['invitation', server.origin + path],
          ['projects', `${server.origin}/admin/projects`],
        ] as const) {
          await page.goto(url);
          await page.locator('h1').first().waitFor();
          await page.locator('.skeletons').waitFor({ state: 'detached' });
          expect([
            name,
            width,
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ]).toEqual([name, width, 0]);
          await page.evaluate(axe);
          const serious = await page.evaluate(`axe.run().then(({ violations }) => violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => id + ': ' + nodes[0].target))`);
          expect([name, width, serious]).toEqual([name, width, []]);
        }
        await context.close();
      }
    },
    120_000,
  );
});
