import { createHash } from 'node:crypto';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FakeArtifacts } from '#libs/cli/testing/fake-artifacts.js';
import { CliMachine } from '../support/cli-machine.js';
import { until } from '../support/until.js';

/** How many files came in one request; no content of these tests looks like the line before a file. */
const headsIn = (body: Buffer): number => body.toString('latin1').match(/[0-9a-f]{64} \d+\n/g)?.length ?? 0;

/** The built command against the protocol of `artifacts.md` 9, spoken by a server in memory. */
describe('loupe artifact push: the client half', () => {
  let fake: FakeArtifacts;
  let machine: CliMachine;

  const push = async (...args: string[]) => {
    const { code, stdout, stderr } = await machine.run(['artifact', 'push', ...args, '--json']);
    return { code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
  };

  beforeEach(async () => {
    fake = await FakeArtifacts.start();
    machine = new CliMachine();
    machine.signIn(fake.url, { accessToken: 'a', refreshToken: 'r' });
    machine.write('.loupe.yaml', `project: ${FakeArtifacts.PROJECT}\n`);
    machine.write('site/index.html', '<h1>One</h1>');
    machine.write('site/css/main.css', 'h1 { color: red }');
  });

  afterEach(async () => {
    machine.remove();
    await fake.server.stop();
  });

  it('artifacts 12: a folder makes version 1 and is remembered; unchanged makes none; one changed file uploads one blob and makes version 2', async () => {
    const first = await push('site', '--notes', 'First', '--card', '42', '--card', '#7');
    expect([first.code, first.report]).toEqual([
      0,
      expect.objectContaining({ version: 1, unchanged: false, fileCount: 2, uploadedFiles: 2 }),
    ]);
    const { artifactId } = first.report;
    expect(machine.read('.loupe/artifacts.yaml')).toBe(`site: ${artifactId}\n`);
    expect([...fake.pushes.values()][0]!.manifest).toMatchObject({
      name: 'site',
      notes: 'First',
      cardNumbers: [42, 7],
      files: [
        expect.objectContaining({ path: 'css/main.css', bytes: 17 }),
        expect.objectContaining({ path: 'index.html' }),
      ],
    });

    const again = await push('site');
    expect([again.code, again.report]).toEqual([
      0,
      expect.objectContaining({ version: 1, unchanged: true, uploadedFiles: 0 }),
    ]);

    machine.write('site/index.html', '<h1>Two</h1>');
    const before = fake.uploads.length;
    const second = await push('site');
    expect([second.code, second.report]).toEqual([
      0,
      expect.objectContaining({ artifactId, version: 2, uploadedFiles: 1 }),
    ]);
    expect(fake.uploads.length - before).toBe(1);
  });

  it('chooses the target: --new makes another, --artifact names one, and a lost one says what to do', async () => {
    const { report: first } = await push('site');
    const { report: other } = await push('site', '--new', '--name', 'Other');
    expect(other.artifactId).not.toBe(first.artifactId);
    expect(machine.read('.loupe/artifacts.yaml')).toBe(`site: ${other.artifactId}\n`);
    expect((await push('site', '--artifact', first.artifactId)).report.artifactId).toBe(first.artifactId);
    fake.artifacts.clear();
    const lost = await push('site');
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('push with --new')]);
    const both = await push('site', '--new', '--artifact', first.artifactId);
    expect(both.code).toBe(2);
  });

  it('leaves out what .gitignore names, what no artifact holds, and secrets', async () => {
    machine.write('site/.gitignore', '*.log\n/build/\n!keep.log\n');
    machine.write('site/sub/.gitignore', 'inner.txt\n');
    for (const path of [
      'a.log',
      'keep.log',
      'build/x.js',
      'sub/inner.txt',
      'sub/outer.txt',
      'node_modules/m/i.js',
      '.git/HEAD',
      '.DS_Store',
      '.env',
      '.env.local',
    ]) {
      machine.write(`site/${path}`, path);
    }
    const { report } = await push('site', '--dry-run');
    expect(report.files.map(({ path }: { path: string }) => path)).toEqual([
      '.gitignore',
      'css/main.css',
      'index.html',
      'keep.log',
      'sub/.gitignore',
      'sub/outer.txt',
    ]);
    expect(fake.server.seen).toEqual([]);
  });

  it('a repository that is pushed whole leaves its own notes out, so that the second push is unchanged', async () => {
    expect((await push('.', '--name', 'All')).report).toMatchObject({ version: 1, fileCount: 2 });
    expect(machine.read('.loupe/artifacts.yaml')).toMatch(/^\.: [0-9a-f-]{36}\n$/);
    expect((await push('.')).report).toMatchObject({ version: 1, unchanged: true });
  });

  it('artifacts 15: a symbolic link and two names that differ in case are refused by name, and nothing is sent', async () => {
    symlinkSync('/etc/passwd', join(machine.folder, 'site', 'users.html'));
    const link = await push('site');
    expect([link.code, link.stderr]).toEqual([1, expect.stringContaining('users.html is a symbolic link')]);
    machine.write('site/.gitignore', 'users.html\n');
    machine.write('site/Index.html', 'x');
    const twice = await push('site');
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('Index.html and index.html')]);
    machine.write('bad/a\\..\\b.html', 'x');
    expect((await push('bad')).code).toBe(1);
    expect(fake.server.seen).toEqual([]);
  });

  it('sends paths in NFC and files of any name, empty and doubled ones too', async () => {
    machine.write('site/u\u0308ber uns.html', '<p>Über uns</p>');
    machine.write('site/empty.txt', '');
    machine.write('site/copy.css', 'h1 { color: red }');
    const { code, report } = await push('site');
    expect(code).toBe(0);
    expect(fake.textOf(report.artifactId, '\u00fcber uns.html')).toBe('<p>Über uns</p>');
    expect(fake.textOf(report.artifactId, 'empty.txt')).toBe('');
    expect(fake.uploads).toHaveLength(4);
  });

  it('uploads four at once and no more, and goes on where a cut push ended', async () => {
    for (let index = 0; index < 30; index += 1) machine.write(`site/page-${index}.html`, `<p>${index}</p>`);
    let taken = 0;
    fake.broken = ({ method }) => (method === 'PUT' && ++taken > 12 ? 403 : null);
    const cut = await push('site');
    expect([cut.code, cut.report]).toEqual([1, null]);
    const arrived = fake.blobs.size;
    expect(arrived).toBe(12);
    fake.broken = null;
    const before = fake.uploads.length;
    const rest = await push('site');
    expect([rest.code, rest.report]).toEqual([0, expect.objectContaining({ version: 1, fileCount: 32 })]);
    expect(fake.uploads.length - before).toBe(32 - arrived);
    expect([fake.pushes.size, fake.mostAtOnce]).toEqual([1, 4]);
    expect(readdirSync(join(machine.config, 'pushes'))).toEqual([]);
  });

  describe('to a server that takes files together', () => {
    beforeEach(() => {
      fake.batch = { files: 10, bytes: 8_000_000, fileBytes: 1_000_000 };
      for (let index = 0; index < 30; index += 1) machine.write(`site/page-${index}.html`, `<p>${index}</p>`);
      machine.write('site/large.txt', 'x'.repeat(1_000_001));
    });

    const requests = () => fake.uploads.map(({ path }) => (path.endsWith('/blobs') ? 'together' : 'alone'));

    it('sends small files together and large ones alone', async () => {
      const { code, report } = await push('site');
      expect([code, report]).toEqual([0, expect.objectContaining({ version: 1, uploadedFiles: 33 })]);
      expect(requests().sort()).toEqual(['alone', 'together', 'together', 'together', 'together']);
      expect(fake.textOf(report.artifactId, 'page-7.html')).toBe('<p>7</p>');
      expect(fake.textOf(report.artifactId, 'large.txt')).toHaveLength(1_000_001);
    });

    it('goes on where a cut push ended, and names the file that was not taken', async () => {
      const refused = createHash('sha256').update('<p>7</p>').digest('hex');
      fake.refusedHash = refused;
      const first = await push('site');
      expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('These are other bytes')]);
      expect(fake.blobs.has(refused)).toBe(false);
      const arrived = fake.blobs.size;
      expect(arrived).toBeGreaterThan(9);
      fake.refusedHash = null;
      const before = fake.uploads.length;
      expect((await push('site')).report).toMatchObject({ version: 1, fileCount: 33 });
      const sent = fake.uploads
        .slice(before)
        .reduce((sum, { path, body }) => sum + (path.endsWith('/blobs') ? headsIn(body) : 1), 0);
      expect([sent, fake.pushes.size]).toEqual([33 - arrived, 1]);
    });

    it('sends files one by one when the server turns out to take them only so', async () => {
      fake.broken = ({ method, path }) => (method === 'PUT' && path.endsWith('/blobs') ? 404 : null);
      const { code, report } = await push('site');
      expect([code, report]).toEqual([0, expect.objectContaining({ version: 1, uploadedFiles: 33 })]);
      expect(requests().filter((kind) => kind === 'alone')).toHaveLength(33);
    });
  });

  it('begins anew when the server has forgotten the push that was cut', async () => {
    fake.broken = ({ path }) => (path.endsWith('/commit') ? 403 : null);
    await push('site');
    fake.broken = null;
    fake.pushes.clear();
    const { code, report } = await push('site');
    expect([code, report]).toEqual([0, expect.objectContaining({ version: 1 })]);
  });

  it('a commit whose answer was lost gives the same version', async () => {
    let lost = 0;
    fake.broken = null;
    fake.server.answer((seen, response) => {
      const real = (fake as unknown as { answer(seen: unknown, response: unknown): unknown }).answer.bind(
        fake,
      );
      if (seen.path.endsWith('/commit') && lost === 0) {
        lost += 1;
        const swallowed = Object.assign(Object.create(response), {
          writeHead: () => swallowed,
          end: () => response.destroy(),
        });
        return real(seen, swallowed);
      }
      return real(seen, response);
    });
    const { code, report } = await push('site');
    expect([code, report, lost]).toEqual([0, expect.objectContaining({ version: 1, unchanged: false }), 1]);
    expect(fake.artifacts.size).toBe(1);
  });

  it('artifacts 14 (client): names the session that runs it, and passes the refusal of a worker on', async () => {
    const refusal =
      'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.';
    fake.server.answer(({ headers }, response) =>
      response
        .writeHead(headers['loupe-session-id'] === 'worker-1' ? 403 : 500, {
          'content-type': 'application/json',
        })
        .end(JSON.stringify({ error: 'forbidden', message: refusal })),
    );
    const { code, stderr } = await machine.run(['artifact', 'push', 'site'], {
      LOUPE_SESSION_ID: 'worker-1',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(refusal.replace(/\.$/, ''))]);
  });

  it('refuses a set with nothing to show, exits 3 without a sign-in, and 2 for a wrong number of a card', async () => {
    machine.write('data/a.json', '{}');
    const nothing = await push('data');
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      'error: Nothing to show: the folder holds no .html and no .md file\n',
    ]);
    expect((await push('site', '--card', 'x')).code).toBe(2);
    expect((await push('nowhere')).code).toBe(1);
    const fresh = new CliMachine();
    fresh.write('a.md', '# A');
    expect((await fresh.run(['artifact', 'push', 'a.md'])).code).toBe(3);
    fresh.remove();
  });

  it('lists artifacts and says where one is', async () => {
    const { report } = await push('site');
    const list = await machine.run(['artifact', 'list']);
    expect([list.code, list.stdout]).toEqual([0, `${report.artifactId}  site  (app, version 1, 2 files)\n`]);
    const open = await machine.run(['artifact', 'open', report.artifactId]);
    expect([open.code, open.stdout]).toEqual([0, `${fake.url}/artifacts/${report.artifactId}\n`]);
    expect((await machine.run(['artifact', 'open', 'nonsense'])).code).toBe(2);
    expect((await machine.run(['artifact', 'open', FakeArtifacts.PROJECT])).code).toBe(1);
  });

  it('ends with 130 when it is interrupted, and keeps what has arrived', async () => {
    fake.broken = null;
    for (let index = 0; index < 40; index += 1) machine.write(`site/page-${index}.html`, `<p>${index}</p>`);
    const command = machine.start(['artifact', 'push', 'site']);
    await until(() => fake.blobs.size > 4, 15_000);
    command.child.kill('SIGINT');
    expect((await command.ended).code).toBe(130);
    const before = fake.uploads.length;
    expect((await push('site')).report).toMatchObject({ version: 1, fileCount: 42 });
    expect(fake.uploads.length - before).toBeLessThan(42);
  });
});
