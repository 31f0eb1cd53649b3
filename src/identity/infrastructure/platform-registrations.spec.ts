import { ActorNames } from '#src/platform/application/ports/actor-names.js';
import { OverviewCounters } from '#src/platform/application/ports/overview-counters.js';
import { SessionCheck } from '#src/platform/application/ports/session-check.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser } from '../testing/people-browser.js';

const CONNECTION = '0190aaaa-0000-7000-8000-0000000000c1';

describe('what identity tells the platform', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let browser: PeopleBrowser;
  let personId: string;

  beforeAll(async () => {
    test = await TestDatabase.start();
    people = await startPeopleApp(test.database);
    browser = new PeopleBrowser(people.app);
    await install(browser);
    personId = (await browser.get('/api/account')).body.id;
    await test.database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, audience, created_at, expires_at)
       VALUES ($1, $2, 'loupe-cli', 'Loupe CLI', '{agent}', 'x', now(), now() + interval '1 day')`,
      [CONNECTION, personId],
    );
  });

  afterAll(async () => {
    await people.app.close();
    await test.stop();
  });

  it('names people and the apps of connections, and leaves unknown ones out', async () => {
    const names = people.app.get(ActorNames);
    const unknown = '0190aaaa-0000-7000-8000-00000000000f';
    expect(await names.personNames([personId, unknown])).toEqual(new Map([[personId, ADMIN.displayName]]));
    expect(await names.connectionName(CONNECTION)).toBe('Loupe CLI');
    expect(await names.connectionName(unknown)).toBeNull();
  });

  it('counts people and open connections', async () => {
    const counters = people.app.get(OverviewCounters);
    expect([await counters.count('people'), await counters.count('connections')]).toEqual([1, 1]);
    await test.database.query(
      "UPDATE identity.connections SET revoked_at = now(), revoked_reason = 'person'",
    );
    expect(await counters.count('connections')).toBe(0);
  });

  it('says that a session is open until it is ended', async () => {
    const sessions = people.app.get(SessionCheck);
    const { id } = (await browser.get('/api/account/sessions')).body.sessions[0];
    expect(await sessions.isOpen(id, personId)).toBe(true);
    expect(await sessions.isOpen(id, CONNECTION)).toBe(false);
    const { action, hidden } = formOf((await browser.get('/logout')).text);
    await browser.post(action, hidden);
    expect(await sessions.isOpen(id, personId)).toBe(false);
  });
});
