import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Flags } from '#libs/kernel/ports/flags.js';
import { type BrowserCall, LoupeApp } from '../../support/loupe-app.js';
import { until } from '../../support/until.js';

const TOOLS = ['workflow_get', 'automation_settings_update'];

let app: LoupeApp;
beforeAll(async () => {
  app = await LoupeApp.start();
});
afterAll(() => app.stop());

async function project(templateKey?: string) {
  const owner = await app.person('Owner');
  const browser = await app.signIn(owner.personId);
  const made = await browser('POST', '/api/projects', { name: 'Acme', templateKey });
  expect(made.status).toBe(201);
  const projectId: string = made.json.id;
  const { token } = await app.connect(owner.personId, { projectId });
  return { owner, browser, projectId, token };
}

async function switchFlag(name: string, stored: string | null): Promise<void> {
  const admin = await app.person('Admin');
  await app.db.database.query('UPDATE identity.persons SET is_admin = true WHERE id = $1', [admin.personId]);
  const browser = await app.signIn(admin.personId);
  const { status } = await browser('PUT', `/api/admin/flags/${name}`, { value: stored === 'true' });
  expect(status).toBe(200);
  await until(() => app.get(Flags).isOn(name) === (stored === 'true'));
}

describe('the workflow over MCP', () => {
  it('workflow 20.1: workflow_get on a new project gives lifecycle, version 1, in the shape of the specification', async () => {
    const { token } = await project();
    const { structuredContent } = await app.call(token, 'workflow_get');
    expect(structuredContent).toMatchObject({
      template: { key: 'lifecycle', version: 1 },
      enabled: true,
      approvalCoversConflictResolution: false,
      epicBranchPattern: 'epic/{number}',
      designReview: false,
      agentReview: false,
    });
    expect(structuredContent!.columns).toHaveLength(7);
    expect(structuredContent!.columns[1]).toEqual({
      slug: 'next',
      label: 'Next',
      slot: 'next',
      backlog: false,
      terminal: false,
    });
  });

  it('automation_settings_update changes what is given, keeps the rest and answers both', async () => {
    const { token } = await project();
    const update = async (args: object) =>
      (await app.call(token, 'automation_settings_update', args)).structuredContent;
    expect(await update({})).toEqual({ enabled: true, approvalCoversConflictResolution: false });
    expect(await update({ enabled: false })).toEqual({
      enabled: false,
      approvalCoversConflictResolution: false,
    });
    expect(await update({ approvalCoversConflictResolution: true })).toEqual({
      enabled: false,
      approvalCoversConflictResolution: true,
    });
    expect(await app.refusal(token, 'automation_settings_update', { writeMerge: true })).toContain(
      'writeMerge: ',
    );
    expect(await app.refusal(token, 'automation_settings_update', { enabled: 'yes' })).toContain('enabled: ');
  });

  it('workflow 20.35: a member reads, and is refused the settings with the maintainer sentence', async () => {
    const { projectId } = await project();
    const mel = await app.person('Mel');
    await app.join(projectId, mel.personId, 'member');
    const { token } = await app.connect(mel.personId, { projectId });
    expect((await app.call(token, 'workflow_get')).isError).toBeFalsy();
    expect(await app.refusal(token, 'automation_settings_update', { enabled: false })).toBe(
      'This needs the maintainer role in the project. Ask its owner.',
    );
  });

  it('says what is missing in a project without a template', async () => {
    const { token } = await project('');
    for (const name of TOOLS) {
      expect(await app.refusal(token, name)).toBe(
        'This project has no workflow yet. The owner picks a workflow template when they create the project.',
      );
    }
  });

  it('is hidden and refused while the board is off, and comes back', async () => {
    const { token, browser, projectId } = await project();
    const listed = async () =>
      (await app.rpc<{ tools: { name: string }[] }>(token, 'tools/list')).tools.map(({ name }) => name);
    expect(await listed()).toEqual(expect.arrayContaining(TOOLS));
    await switchFlag('board.enabled', 'false');
    try {
      expect((await listed()).filter((name) => TOOLS.includes(name))).toEqual([]);
      for (const name of TOOLS) {
        expect(await app.refusal(token, name, { nonsense: 1 })).toBe(
          'The board is switched off on this instance.',
        );
      }
      for (const path of ['/workflow', '/automation']) {
        expect(await browser('GET', `/api/projects/${projectId}${path}`)).toMatchObject({
          status: 404,
          json: { error: 'switched_off', message: 'The board is switched off on this instance.' },
        });
      }
    } finally {
      await switchFlag('board.enabled', 'true');
    }
    expect(await listed()).toEqual(expect.arrayContaining(TOOLS));
  });
});

describe('the routes of the workflow', () => {
  it('list the templates for the form of a new project, and refuse one that does not exist', async () => {
    const { browser } = await project();
    const { json } = await browser('GET', '/api/workflow-templates');
    expect(json.templates.map((one: { key: string }) => one.key)).toEqual(['lifecycle', 'simple']);
    expect(Object.keys(json.templates[0])).toEqual(['key', 'version', 'label', 'description']);
    const refused = await browser('POST', '/api/projects', { name: 'Acme', templateKey: 'kanban' });
    expect(refused).toMatchObject({ status: 422, json: { fields: { templateKey: expect.any(String) } } });
  });

  it('show and save the automation settings; a stale form gets the present ones', async () => {
    const { browser, projectId } = await project();
    const path = `/api/projects/${projectId}/automation`;
    const before = (await browser('GET', path)).json;
    expect(before).toMatchObject({ enabled: true, version: 1, installation: null, engine: { acts: false } });
    const save = { values: { mergeMethod: 'rebase' }, enabled: false, version: 1 };
    expect(await browser('PATCH', path, save)).toMatchObject({
      status: 200,
      json: { enabled: false, version: 2 },
    });
    expect(await browser('PATCH', path, save)).toMatchObject({
      status: 409,
      json: { error: 'stale', current: { enabled: false, version: 2 } },
    });
    const bad = { values: { mergeMethod: 'fold', approvalCoversConflictResolution: true }, version: 2 };
    expect(await browser('PATCH', path, bad)).toMatchObject({
      status: 422,
      json: {
        fields: {
          mergeMethod: 'Use one of: squash, merge, rebase.',
          approvalCoversConflictResolution: expect.stringContaining('automation_settings_update'),
        },
      },
    });
    expect((await browser('PATCH', path, { enabled: true })).status).toBe(422);
  });

  it('link a slot to a column of the board alone', async () => {
    const { browser, projectId } = await project();
    const page = (await browser('GET', `/api/projects/${projectId}/workflow`)).json;
    const column = (slug: string) =>
      page.columns.find((one: { slug: string }) => one.slug === slug).columnId as string;
    const link = (slot: string, columnId: unknown) =>
      browser('PUT', `/api/projects/${projectId}/workflow/slots/${slot}`, { columnId });
    expect(await link('next', column('next'))).toMatchObject({ status: 200 });
    expect(await link('next', column('in-review'))).toMatchObject({ status: 409, json: { error: 'taken' } });
    expect(await link('next', column('done'))).toMatchObject({
      status: 422,
      json: { error: 'terminal', fields: { columnId: expect.any(String) } },
    });
    expect((await link('next', 'no uuid')).status).toBe(422);
    expect((await link('next', 7)).status).toBe(422);
    expect((await link('nowhere', column('next'))).status).toBe(404);
  });

  it('answer strangers with 404 and viewers who write with 403', async () => {
    const { projectId } = await project();
    const stranger = await app.signIn((await app.person('Bob')).personId);
    const vic = await app.person('Vic');
    await app.join(projectId, vic.personId, 'viewer');
    const viewer = await app.signIn(vic.personId);
    const base = `/api/projects/${projectId}`;
    const writes = (browser: BrowserCall) => [
      browser('PATCH', `${base}/automation`, { enabled: false, version: 1 }),
      browser('PUT', `${base}/workflow/slots/next`, { columnId: projectId }),
    ];
    for (const answer of await Promise.all(writes(stranger))) expect(answer.status).toBe(404);
    for (const answer of await Promise.all(writes(viewer))) expect(answer.status).toBe(403);
    expect((await viewer('GET', `${base}/workflow`)).status).toBe(200);
    expect((await stranger('GET', `${base}/workflow`)).status).toBe(404);
    expect((await stranger('GET', '/api/projects/no-uuid/workflow')).status).toBe(404);
  });
});

describe('templates of the operator', () => {
  it('workflow 20.1: a bad file stops the start with its name, the rule and the condition', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'templates-'));
    await writeFile(
      join(folder, 'ours.yaml'),
      'key: ours\nrules:\n  - id: bless\n    when: { document.blessed: {} }\n    then: { detach: {} }\n',
    );
    const start = LoupeApp.start({ db: app.db, env: { WORKFLOW_TEMPLATE_DIR: folder } });
    const error = await start.then(
      () => null,
      (reason: Error) => reason,
    );
    await rm(folder, { recursive: true });
    expect(error?.name).toBe('StartError');
    expect(error?.message).toContain(
      'ours.yaml: rules[0] "bless".when.document.blessed no condition is called',
    );
    expect(error?.message).toContain('ours.yaml: columns is missing.');
  });
});
