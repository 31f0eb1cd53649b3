import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { until } from '../../../../../test/support/until.js';
import { type GitRequest, GitTransport, type PushGate } from '../../application/ports/git-transport.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { RealGitRepositories } from '../git/real-git-repositories.js';
import { type HookAnswer, HookExchange, requireRunnable } from './hook-exchange.js';
import { QuarantinedCommits } from './quarantined-commits.js';

describe('git behind HTTP', () => {
  let db: TestDatabase;
  let rig: LibraryRig;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  const request = (artifactId: string, more: Partial<GitRequest> = {}): GitRequest => ({
    artifactId,
    service: 'git-receive-pack',
    advertise: false,
    tokenId: rig.ids.next(),
    contentType: 'application/x-git-receive-pack-request',
    contentEncoding: null,
    protocol: null,
    body: null,
    ...more,
  });

  const silent: PushGate = { review: async () => [], moved: async () => [] };

  it('runs 8 requests at once, and asks the ninth to come again', async () => {
    const { artifactId } = await rig.create();
    const transport = rig.get(GitTransport);
    const bodies = Array.from({ length: 8 }, () => new PassThrough());
    const running = await Promise.all(
      bodies.map((body) => transport.serve(request(artifactId, { body }), silent)),
    );
    expect(running.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const advertise = request(artifactId, { advertise: true });
    await expect(transport.serve(advertise)).rejects.toMatchObject({
      kind: 'unavailable',
      detail: { retryAfterSeconds: 5 },
    });
    for (const body of bodies) body.end();
    await Promise.all(running.map(({ body }) => text(body)));
    await until(async () => {
      const answer = await transport.serve(advertise).catch(() => null);
      if (answer) expect(await text(answer.body)).toContain('refs/heads/main');
      return answer !== null;
    });
  });

  it('refuses a small pack that describes an object of gigabytes, and takes one of megabytes', async () => {
    const { artifactId } = await rig.create();
    const asked: string[] = [];
    const push = async (mebibytes: number): Promise<string> => {
      const body = new PassThrough();
      const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/of-${mebibytes}\0report-status`;
      const pack = packOfBomb(mebibytes);
      expect(pack.length).toBeLessThan(60_000);
      body.end(
        Buffer.concat([Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`), pack]),
      );
      const answer = await rig.get(GitTransport).serve(request(artifactId, { body }), {
        review: async (updates) => {
          asked.push(...updates.map(({ ref }) => ref));
          return [];
        },
        moved: async () => [],
      });
      return text(answer.body);
    };
    expect(await push(3)).toContain('unpack ok');
    expect(await push(6 * 1024)).toMatch(/unpack (?!ok)/);
    expect(asked).not.toContain('refs/heads/of-6144');
  });

  it('tells of refs without those of the server, and takes only known versions of the protocol', async () => {
    const { artifactId, revision } = await rig.create();
    const repositories = rig.get(RealGitRepositories);
    await repositories.keepOrphan(artifactId, revision!);
    const ask = async (protocol: string | null) => {
      const answer = await rig
        .get(GitTransport)
        .serve(request(artifactId, { service: 'git-upload-pack', advertise: true, protocol }));
      expect(answer.headers).toContainEqual(['Content-Type', 'application/x-git-upload-pack-advertisement']);
      return text(answer.body);
    };
    expect(await ask(null)).toContain('refs/heads/main');
    expect(await ask(null)).not.toContain('refs/loupe');
    expect(await ask('version=2')).toContain('version 2');
    expect(await ask('version=2:x=$(id)')).not.toContain('version 2');
  });

  it('runs no hook and no setting of the repository itself', async () => {
    const { artifactId } = await rig.create();
    const folder = rig.get(RealGitRepositories).pathOf(artifactId);
    const marker = join(rig.folder, 'ran');
    await mkdir(join(folder, 'hooks'), { recursive: true });
    for (const hook of ['pre-receive', 'post-receive', 'update', 'post-update'])
      await writeFile(join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const config = await readFile(join(folder, 'config'), 'utf8');
    await writeFile(
      join(folder, 'config'),
      `${config}[core]\n\thooksPath = ${join(folder, 'hooks')}\n[receive]\n\tdenyNonFastForwards = false\n`,
    );
    // Deleting a branch that is not there is enough for the hooks to be asked.
    const zero = '0'.repeat(40);
    const line = `${zero} ${zero} refs/heads/none\0report-status`;
    const body = new PassThrough();
    body.end(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`);
    const asked: string[] = [];
    const answer = await rig.get(GitTransport).serve(request(artifactId, { body }), {
      review: async (updates) => {
        asked.push(...updates.map(({ ref }) => ref));
        return [];
      },
      moved: async () => [],
    });
    await text(answer.body);
    expect(asked).toEqual(['refs/heads/none']);
    await expect(access(marker)).rejects.toThrow();
  });

  describe('the socket of the hooks', () => {
    let root: string;
    let exchange: HookExchange;

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'loupe-hooks-'));
      exchange = await HookExchange.open(root);
    });

    afterAll(async () => {
      await exchange.close();
      await rm(root, { recursive: true, force: true });
    });

    function call(path: string, message: object | string): Promise<HookAnswer> {
      return new Promise((done, fail) => {
        const socket = connect(path, () =>
          socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
        );
        let answer = '';
        socket.on('data', (part) => {
          answer += part.toString();
        });
        socket.on('error', fail);
        socket.on('close', () => done(JSON.parse(answer) as HookAnswer));
      });
    }

    it('answers one call of each hook for a token, and none without', async () => {
      const { environment, forget } = exchange.expect(async ({ hook }) => ({
        accepted: true,
        lines: [hook],
      }));
      const { LOUPE_HOOK_SOCKET: path, LOUPE_HOOK_TOKEN: token } = environment;
      const hook = (name: string) =>
        call(path!, { token, hook: name, updates: '', objects: null, alternates: null });
      expect(await hook('pre-receive')).toEqual({ accepted: true, lines: ['pre-receive'] });
      expect(await hook('pre-receive')).toMatchObject({ accepted: false });
      expect(await hook('update')).toMatchObject({ accepted: false });
      expect(await hook('post-receive')).toEqual({ accepted: true, lines: ['post-receive'] });
      expect(await call(path!, { token: 'another', hook: 'pre-receive' })).toMatchObject({ accepted: false });
      expect(await call(path!, 'nonsense')).toMatchObject({ accepted: false });
      forget();
      expect(await hook('post-receive')).toMatchObject({ accepted: false });
    });

    it('serves no push where git would pass over the hooks', async () => {
      const path = join(root, 'no-program');
      await writeFile(path, '#!/bin/sh\n', { mode: 0o644 });
      await expect(requireRunnable(path)).rejects.toMatchObject({ kind: 'unavailable' });
      await requireRunnable(join(exchange.hooksPath, 'pre-receive'));
    });

    it('refuses objects outside the repository of the push', () => {
      const made =
        (objects: string, alternates: string | null = null) =>
        () =>
          new QuarantinedCommits(root, '/srv/git/a.git', {
            hook: 'pre-receive',
            updates: '',
            objects,
            alternates,
          });
      expect(made('/srv/git/a.git/objects/tmp_objdir-x', '/srv/git/a.git/objects')).not.toThrow();
      expect(made('./objects/tmp_objdir-x', './objects')).not.toThrow();
      for (const path of [
        '/srv/git/b.git/objects',
        '../b.git/objects',
        '/srv/git/a.git/../b.git/objects',
        '/',
      ])
        expect(made(path)).toThrow('somewhere else');
      expect(made('./objects', '/srv/git/a.git/objects:/etc')).toThrow('somewhere else');
    });
  });
});

/** A pack of one text of a mebibyte and a delta that repeats it: git makes `mebibytes` of it. */
function packOfBomb(mebibytes: number): Buffer {
  const size = 1024 * 1024;
  const base = Buffer.alloc(size, 'a');
  const name = createHash('sha1').update(`blob ${size}\0`).update(base).digest();
  // Copies the first 0x100000 bytes of the base.
  const copy = Buffer.from([0x80 | 0x40, 0x10]);
  const delta = Buffer.concat([
    lengthOf(size),
    lengthOf(size * mebibytes),
    ...Array<Buffer>(mebibytes).fill(copy),
  ]);
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\x02', 'latin1');
  const pack = Buffer.concat([
    header,
    headOf(3, size),
    deflateSync(base),
    headOf(7, delta.length),
    name,
    deflateSync(delta),
  ]);
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

/** Type and size of an object in a pack. */
function headOf(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let first = (type << 4) | (size & 0x0f);
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    bytes.push(first | 0x80);
    first = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, first]);
}

/** A size at the start of a delta. */
function lengthOf(size: number): Buffer {
  const bytes: number[] = [];
  let rest = size;
  while (rest >= 128) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
