import { LoupeApp } from '../support/loupe-app.js';
import { ADMIN, adminEnv, newProject, signedIn } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

interface AuditRow {
  readonly operation: string;
  readonly actorName: string | null;
  readonly actorKind: string;
  readonly channel: string;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly outcome: string;
  readonly context: Record<string, unknown> | null;
}

/** What the log of the instance says of changes that people make in the browser. */
describe('the audit log, from outside', () => {
  let app: LoupeApp;
  let admin: Visitor;

  beforeAll(async () => {
    app = await LoupeApp.start({ env: adminEnv });
    admin = await signedIn(app.url);
  }, 60_000);
  afterAll(() => app?.stop());

  /** Records about a subject, oldest first. */
  const records = async (subjectId: string): Promise<AuditRow[]> => {
    const { status, body } = await admin.api<{ events: AuditRow[] }>(
      'GET',
      `/admin/audit?subject=${encodeURIComponent(subjectId)}`,
    );
    expect(status).toBe(200);
    return body.events.reverse();
  };

  it('platform 19.26: changing a flag, a project and a person writes who, how and what; the same again writes none', async () => {
    const { personId } = await app.person('Bea Member');
    const projectId = await newProject(admin, 'Ferry');
    const twice = async (method: string, path: string, body: object, first: number) => {
      expect([path, (await admin.api(method, path, body)).status]).toEqual([path, first]);
      await admin.api(method, path, body);
    };
    await twice('PUT', '/admin/flags/exports.enabled', { value: false }, 200);
    await twice('PATCH', `/projects/${projectId}`, { description: 'Of the port', version: 1 }, 200);
    await admin.api('PATCH', `/projects/${projectId}`, { description: 'Of the port', version: 2 });
    await twice('PUT', `/projects/${projectId}/origins`, { origins: ['https://a.example'], version: 2 }, 200);
    await admin.api('PUT', `/projects/${projectId}/origins`, { origins: ['https://a.example'], version: 3 });
    for (const what of ['promote', 'demote', 'suspend', 'reinstate'])
      await twice('POST', `/admin/people/${personId}/${what}`, {}, 200);

    const by = { actorKind: 'person', actorName: ADMIN.name, channel: 'web', outcome: 'success' };
    const flags = await records('exports.enabled');
    expect(flags).toMatchObject([{ ...by, operation: 'flag.changed', subjectType: 'flag' }]);
    const project = (await records(projectId)).filter(({ operation }) => operation.startsWith('project.'));
    expect(project).toMatchObject([
      { ...by, operation: 'project.created', subjectType: 'project' },
      { ...by, operation: 'project.updated', subjectType: 'project' },
      { ...by, operation: 'project.origins_set', subjectType: 'project' },
    ]);
    // Names of fields, never what is in them.
    expect(JSON.stringify(project)).toContain('description');
    expect(JSON.stringify(project)).not.toContain('Of the port');
    const person = await records(personId);
    expect(person).toMatchObject(
      ['promoted', 'demoted', 'suspended', 'reinstated'].map((what) => ({
        ...by,
        operation: `person.${what}`,
        subjectType: 'person',
        subjectId: personId,
      })),
    );
  });

  it('platform 7: a name that a spreadsheet would run is text in the CSV', async () => {
    const { personId } = await app.person('=HYPERLINK("https://evil.example";"Pay")');
    const browser = await app.signIn(personId);
    expect((await browser('POST', '/api/projects', { name: '+cmd' })).status).toBe(201);
    const csv = await (await admin.request('/api/admin/audit.csv?operation=project.created')).text();
    expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"";""Pay"")"`);
    expect(csv).not.toMatch(/(^|,)"?[=+@-]/m);
  });
});
