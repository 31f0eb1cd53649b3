import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { S3Server } from '#libs/storage/testing/s3-server.js';
import { ArtifactStage, type MadeArtifact } from '../support/artifact-stage.js';
import { ADMIN } from '../support/settled-server.js';
import { until } from '../support/until.js';

interface Row {
  readonly id: string;
  readonly state: string;
  readonly downloadPath: string | null;
}

/** The data of a person from all contexts, against the built server with its files in a bucket (`platform.md` 12). */
describe('data exports, from outside', () => {
  let s3: S3Server;
  let mails: MailCatcher;
  let stage: ArtifactStage;
  let made: MadeArtifact;
  let files: Record<string, string>;

  beforeAll(async () => {
    s3 = await S3Server.start();
    mails = await MailCatcher.start();
    stage = await ArtifactStage.start({
      env: {
        ...s3.env,
        MAILER_DSN: mails.dsn,
        MAILER_FROM_ADDRESS: 'loupe@example.com',
      },
    });
    const token = (await stage.token(['mcp'])).token;
    made = await stage.import({ 'index.html': '<h1>Mine</h1>', 'css/site.css': 'p {}' });
    const document = await stage.tool(token, 'document_create', {
      title: 'Plan',
      markdown: '# Plan\n\nAll of it.',
    });
    if (document.isError) throw new Error(document.text);
    const card = await stage.tool(token, 'card_create', { title: 'A card', body: 'Its text' });
    if (card.isError) throw new Error(card.text);
    const { status } = await stage.person.api('POST', '/account/exports');
    expect(status).toBe(202);
    await until(async () => (await rows())[0]?.state === 'ready', 60_000, 'The export was not made.');
    files = await download((await rows())[0]!);
  }, 180_000);

  afterAll(async () => {
    await stage?.stop();
    await mails?.stop();
    await s3?.stop();
  });

  const rows = async (): Promise<Row[]> =>
    (await stage.person.api<{ exports: Row[] }>('GET', '/account/exports')).body.exports;

  async function download({ downloadPath }: Row): Promise<Record<string, string>> {
    const answer = await stage.person.request(downloadPath!);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const archive = await yauzl.fromBufferPromise(Buffer.from(await answer.arrayBuffer()));
    const found: Record<string, string> = {};
    for await (const entry of archive.eachEntry()) {
      found[entry.fileName] = await text(await archive.openReadStreamPromise(entry));
    }
    return found;
  }

  const json = (name: string) => JSON.parse(files[name]!);

  it('platform 12: holds a file of each kind, counted by the manifest', () => {
    const names = [
      'audit_log.json',
      'profile.json',
      'sessions.json',
      'connected_apps.json',
      'projects.json',
      'memberships.json',
      'documents.json',
      'comments.json',
      'verdicts.json',
      'decisions.json',
      'section-approvals.json',
      'agent-reviews.json',
      'cards.json',
      'artifacts.json',
      'typed_artifacts.json',
      `artifacts/${made.artifactId}/index.html`,
      `artifacts/${made.artifactId}/css/site.css`,
      'manifest.json',
    ];
    expect(Object.keys(files).sort()).toEqual([...names].sort());
    const { counts } = json('manifest.json');
    expect(counts).toMatchObject({
      'documents.json': 1,
      'projects.json': 1,
      'artifacts.json': 1,
      'cards.json': 1,
    });
  });

  it('platform 12: holds what the person made', () => {
    expect(json('profile.json')).toMatchObject({ email: ADMIN.email });
    expect(json('projects.json')).toMatchObject([{ id: stage.projectId, name: 'Artifacts' }]);
    expect(json('documents.json')).toMatchObject([
      { title: 'Plan', versions: [{ number: 1, markdown: expect.stringContaining('All of it.') }] },
    ]);
    expect(json('cards.json')).toMatchObject([{ title: 'A card', body: 'Its text', number: 1 }]);
    expect(json('artifacts.json')).toMatchObject([{ id: made.artifactId, versions: [{ number: 1 }] }]);
    expect(files[`artifacts/${made.artifactId}/index.html`]).toBe('<h1>Mine</h1>');
    expect(json('audit_log.json').map(({ operation }: { operation: string }) => operation)).toContain(
      'export.requested',
    );
  });

  it('platform 12: holds no secret', () => {
    const all = Object.values(files).join('\n');
    for (const word of [
      'password_hash',
      'passwordHash',
      '$argon2',
      'scrypt',
      'csrf',
      'token_hash',
      'secret_hash',
      'lpg_',
    ]) {
      expect([word, all.includes(word)]).toEqual([word, false]);
    }
  });

  it('platform 12: a mail leads to the page, and holds no token', async () => {
    const exported = () => mails.to(ADMIN.email).filter(({ subject }) => subject === 'Your data is ready');
    await until(() => exported().length === 1, 60_000, 'No mail came.');
    expect(linkOf(exported()[0]!)).toBe('/account/data');
    expect(JSON.stringify(exported())).not.toContain('token');
  });

  it('platform 12: the archive is the only file of exports in the bucket, and goes when it is deleted', async () => {
    const archives = () => s3.keys.filter((key) => key.startsWith('team/exports/'));
    expect(archives()).toHaveLength(1);
    const [row] = await rows();
    expect((await stage.person.api('DELETE', `/account/exports/${row!.id}`)).status).toBe(204);
    expect([archives(), await rows()]).toEqual([[], []]);
    expect((await stage.person.request(row!.downloadPath!)).status).toBe(404);
  });
});
