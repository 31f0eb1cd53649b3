import { randomBytes } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import type { Actor } from '#libs/kernel/actor.js';
import { GitClient } from '../../../../../test/support/git-client.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { until } from '../../../../../test/support/until.js';
import { MintGitToken } from '../../application/commands/mint-git-token.js';
import { ArtifactBlobs } from '../../application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '../../application/ports/artifact-directory.js';
import { GitRepositories } from '../../application/ports/git-repositories.js';
import { GitTokens } from '../../application/ports/git-tokens.js';
import { LibraryRig } from '../../testing/library-rig.js';

const PUBLIC = 'https://x-token:';

describe('artifacts over git', () => {
  let db: TestDatabase;
  let rig: LibraryRig;
  let app: NestExpressApplication;
  let git: GitClient;
  let origin: string;
  let clones = 0;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
    app = rig.application<NestExpressApplication>();
    app.useGlobalFilters(new ProblemFilter());
    await app.listen(0, '127.0.0.1');
    origin = `127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
    git = await GitClient.start();
  });

  afterAll(async () => {
    await git.stop();
    await app.close();
    await rig.stop();
    await db.stop();
  });

  /** Address of the repository on this machine, with the token in it. */
  async function remote(artifactId: string, actor: Actor = rig.owner): Promise<string> {
    const { gitRemoteUrl } = await rig.get(MintGitToken).execute(actor, { artifactId });
    expect(gitRemoteUrl.startsWith(`${PUBLIC}lpg_`)).toBe(true);
    return gitRemoteUrl.replace('https:', 'http:').replace('loupe.example', origin);
  }

  async function cloned(artifactId: string, actor?: Actor): Promise<string> {
    const address = await remote(artifactId, actor);
    clones += 1;
    return git.clone(address, `clone-${clones}`);
  }

  async function latest(artifactId: string) {
    const facts = (await rig.get(ArtifactDirectory).find(artifactId))!;
    const version = (await rig.get(ArtifactDirectory).version(artifactId, facts.latestVersion!))!;
    const files = await rig.get(ArtifactDirectory).files(version.versionId);
    return { ...facts, paths: files.map(({ path }) => path), files };
  }

  async function textOf(artifactId: string, path: string): Promise<string> {
    const { files } = await latest(artifactId);
    const file = files.find((entry) => entry.path === path)!;
    return (await rig.get(ArtifactBlobs).read(file.sha256, 1_000_000)).toString();
  }

  it('artifacts 38: clones, takes a push as one version, and says so to the person at the other end', async () => {
    const { artifactId } = await rig.create({ 'index.html': '<h1>One</h1>', 'css/a.css': 'p{}' });
    const folder = await cloned(artifactId, rig.agent);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('<h1>One</h1>');
    await writeFile(join(folder, 'index.html'), '<h1>Two</h1>');
    await git.commit(folder, 'First of two');
    await writeFile(join(folder, 'more.html'), '<h1>More</h1>');
    const tip = await git.commit(folder, 'Second heading\n\nWith a reason.');
    rig.forget();
    const { code, stderr } = await git.run(folder, 'push', 'origin', 'main');
    expect(stderr).toMatch(
      new RegExp(
        `remote: Loupe: stored version 2 \\(3 files\\)\\. Preview: https://loupe\\.example/artifacts/${artifactId}/preview`,
      ),
    );
    expect(code).toBe(0);
    const now = await latest(artifactId);
    expect(now).toMatchObject({ latestVersion: 2, headRevision: tip });
    expect(now.paths).toEqual(['css/a.css', 'index.html', 'more.html']);
    expect(await textOf(artifactId, 'index.html')).toBe('<h1>Two</h1>');
    const row = await db.database.one(
      'SELECT notes, source, created_by_kind, created_by FROM artifacts.version WHERE artifact_id = $1 AND number = 2',
      [artifactId],
    );
    expect(row).toEqual({
      notes: 'Second heading\n\nWith a reason.',
      source: 'git',
      created_by_kind: 'agent',
      created_by: rig.owner.personId,
    });
    expect(rig.audit.entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['artifact.version_stored', 'artifact.git_pushed']),
    );
    // What the server makes itself is there for the next fetch.
    await rig.push(artifactId, { 'index.html': '<h1>Three</h1>' });
    await git.in(folder, 'pull', '--quiet', '--ff-only', 'origin', 'main');
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('<h1>Three</h1>');
  });

  it('keeps other branches and tags without making versions of them', async () => {
    const { artifactId } = await rig.create();
    const folder = await cloned(artifactId);
    await git.in(folder, 'checkout', '--quiet', '-b', 'try');
    await writeFile(join(folder, 'try.html'), 'x');
    await git.commit(folder, 'Try');
    await git.in(folder, 'tag', 'v1');
    const { code, stderr } = await git.run(folder, 'push', 'origin', 'try', 'v1');
    expect({ code, told: stderr.includes('stored version') }).toEqual({ code: 0, told: false });
    expect((await latest(artifactId)).latestVersion).toBe(1);
    expect(await git.in(folder, 'ls-remote', 'origin')).toMatch(/refs\/heads\/try[\s\S]*refs\/tags\/v1/);
  });

  it('leaves files that are not stored in the commit and out of the version', async () => {
    const { artifactId } = await rig.create();
    const folder = await cloned(artifactId);
    await writeFile(join(folder, '.env'), 'SECRET=1');
    await writeFile(join(folder, 'deploy.sh'), 'rm -rf /');
    await mkdir(join(folder, 'node_modules'));
    await writeFile(join(folder, 'node_modules', 'x.js'), 'x');
    await writeFile(join(folder, 'page.html'), '<p>Page</p>');
    await git.commit(folder, 'Everything');
    expect((await git.run(folder, 'push', 'origin', 'main')).code).toBe(0);
    expect((await latest(artifactId)).paths).toEqual(['index.html', 'page.html']);
    const row = await db.database.one<{ skipped_files: { path: string }[] }>(
      'SELECT skipped_files FROM artifacts.version WHERE artifact_id = $1 AND number = 2',
      [artifactId],
    );
    expect(row!.skipped_files.map(({ path }) => path).sort()).toEqual([
      '.env',
      'deploy.sh',
      'node_modules/x.js',
    ]);
  });

  describe('artifacts 39: refuses with a line that git shows, and the branch stays', () => {
    async function refusedPush(
      change: (folder: string) => Promise<unknown>,
      ...push: string[]
    ): Promise<string> {
      const { artifactId, revision } = await rig.create({ 'index.html': 'first' });
      const folder = await cloned(artifactId);
      await change(folder);
      const { code, stderr } = await git.run(folder, 'push', ...push);
      expect(code).not.toBe(0);
      expect(await rig.get(GitRepositories).head(artifactId)).toBe(revision);
      expect((await latest(artifactId)).latestVersion).toBe(1);
      return stderr;
    }

    it('a push that drops commits', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          await git.in(folder, 'checkout', '--quiet', '--orphan', 'other');
          await git.commit(folder, 'Another history');
        },
        '--force',
        'origin',
        'other:main',
      );
      expect(stderr).toMatch(/remote: Loupe: main only moves forward/);
    });

    it('the deletion of main', async () => {
      const stderr = await refusedPush(async () => undefined, 'origin', ':main');
      expect(stderr).toMatch(/remote: Loupe: main cannot be deleted/);
      expect(rig.audit.entries.at(-1)).toMatchObject({
        operation: 'artifact.git_pushed',
        outcome: 'refused',
        context: { code: 'push_refused' },
      });
    });

    it('a symbolic link', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          await symlink('/etc/passwd', join(folder, 'link.html'));
          await git.commit(folder, 'Link');
        },
        'origin',
        'main',
      );
      expect(stderr).toMatch(/remote: Loupe: .*"link\.html" is a symbolic link/);
    });

    it('a name that is no valid UTF-8', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          const head = (await git.in(folder, 'rev-parse', 'HEAD:index.html')).trim();
          await git.in(folder, 'config', 'core.precomposeunicode', 'false');
          await writeFile(Buffer.from(`${folder}/caf\xe9.html`, 'latin1'), head);
          await git.commit(folder, 'Latin');
        },
        'origin',
        'main',
      );
      expect(stderr).toContain('remote: Loupe: The commit holds a file whose name is not valid UTF-8.');
    });

    it('a submodule', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          const head = (await git.in(folder, 'rev-parse', 'HEAD')).trim();
          await git.in(folder, 'update-index', '--add', '--cacheinfo', `160000,${head},sub`);
          await git.in(folder, 'commit', '--quiet', '-m', 'Submodule');
        },
        'origin',
        'main',
      );
      expect(stderr).toMatch(/remote: Loupe: .*"sub" is a git submodule/);
    });

    it('a few folders that unfold to ten billion files', async () => {
      const started = Date.now();
      const stderr = await refusedPush(
        async (folder) => {
          let entry = `100644 blob ${(await git.in(folder, 'rev-parse', 'HEAD:index.html')).trim()}`;
          for (let level = 0; level < 10; level++) {
            const lines = Array.from({ length: 10 }, (_, at) => `${entry}\tf${at}`).join('\n');
            entry = `040000 tree ${(await git.fed(folder, `${lines}\n`, 'mktree')).trim()}`;
          }
          const tree = entry.split(' ')[2]!;
          const commit = (await git.in(folder, 'commit-tree', tree, '-p', 'HEAD', '-m', 'Bomb')).trim();
          await git.in(folder, 'update-ref', 'refs/heads/bomb', commit);
        },
        'origin',
        'bomb:main',
      );
      expect(stderr).toContain('remote: Loupe: The commit holds more than 50000 files.');
      expect(Date.now() - started).toBeLessThan(20_000);
    });

    it('names that differ in case alone', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          await writeFile(join(folder, 'INDEX.html'), 'x');
          await git.commit(folder, 'Case');
        },
        'origin',
        'main',
      );
      expect(stderr).toMatch(/remote: Loupe: .*in case alone/);
    });

    it('a file over the limit', async () => {
      rig.flags.set('artifacts.file_max_bytes', '1000');
      const stderr = await refusedPush(
        async (folder) => {
          await writeFile(join(folder, 'large.txt'), 'x'.repeat(1_001));
          await git.commit(folder, 'Large');
        },
        'origin',
        'main',
      ).finally(() => rig.flags.set('artifacts.file_max_bytes', '26214400'));
      expect(stderr).toContain('remote: Loupe: large.txt holds 1001 bytes; the limit of one file is 1000.');
    });

    it('a quota that it would go over', async () => {
      rig.flags.set('artifacts.project_max_bytes', '2000');
      const stderr = await refusedPush(
        async (folder) => {
          await writeFile(join(folder, 'large.txt'), randomBytes(1_500).toString('hex'));
          await git.commit(folder, 'Large');
        },
        'origin',
        'main',
      ).finally(() => rig.flags.set('artifacts.project_max_bytes', '5368709120'));
      expect(stderr).toMatch(/remote: Loupe: .*limit/);
    });

    it('refs that are no branches or tags', async () => {
      const stderr = await refusedPush(async () => undefined, 'origin', 'HEAD:refs/notes/x');
      expect(stderr).toMatch(/remote: Loupe: refs\/notes\/x cannot be pushed/);
      await refusedPush(async () => undefined, 'origin', 'HEAD:refs/loupe/orphan/x');
    });

    it('more branches than there may be', async () => {
      rig.flags.set('artifacts.git_max_branches', '2');
      const stderr = await refusedPush(
        async () => undefined,
        'origin',
        'HEAD:refs/heads/a',
        'HEAD:refs/heads/b',
      ).finally(() => rig.flags.set('artifacts.git_max_branches', '50'));
      expect(stderr).toContain('remote: Loupe: The repository would have 3 branches; the limit is 2.');
    });

    it('an archived artifact', async () => {
      const { artifactId } = await rig.create();
      const folder = await cloned(artifactId);
      await db.database.query('UPDATE artifacts.artifact SET archived_at = now() WHERE id = $1', [
        artifactId,
      ]);
      await git.commit(folder, 'Too late');
      const { stderr } = await git.run(folder, 'push', 'origin', 'main');
      expect(stderr).toContain('remote: Loupe: Artifact is archived. Call artifact_unarchive first.');
    });

    it('a pack of 70 MiB', async () => {
      const stderr = await refusedPush(
        async (folder) => {
          for (let part = 0; part < 7; part++)
            await writeFile(join(folder, `${part}.bin`), randomBytes(10 * 1024 * 1024));
          await git.in(folder, 'config', 'core.compression', '0');
          await git.commit(folder, 'Too much');
        },
        'origin',
        'main',
      );
      expect(stderr).toMatch(/remote: .*pack exceeds maximum allowed size/);
    }, 120_000);
  });

  describe('artifacts 40: tokens', () => {
    const expired = /remote: This git token has expired\. Mint a new one with artifact_get_git_token\./;

    it('end at their time, with a sentence', async () => {
      const { artifactId } = await rig.create();
      const address = await remote(artifactId);
      rig.clock.advance(3_600_000);
      const { code, stderr } = await git.run(git.home, 'ls-remote', address);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(expired);
    });

    it('do not push where they may only read', async () => {
      const { artifactId } = await rig.create();
      await db.database.query(`UPDATE artifacts.workspace SET agent_access = 'read' WHERE project_id = $1`, [
        rig.projectId,
      ]);
      const address = await remote(artifactId, rig.agent).finally(() =>
        db.database.query(`UPDATE artifacts.workspace SET agent_access = 'write' WHERE project_id = $1`, [
          rig.projectId,
        ]),
      );
      clones += 1;
      const folder = await git.clone(address, `clone-${clones}`);
      await git.commit(folder, 'Read only');
      const { code, stderr } = await git.run(folder, 'push', 'origin', 'main');
      expect(code).not.toBe(0);
      expect(stderr).toContain('remote: This git token is read-only.');
    });

    it('open no other artifact', async () => {
      const { artifactId } = await rig.create();
      const other = await rig.create();
      const address = (await remote(artifactId)).replace(artifactId, other.artifactId);
      expect((await fetch(...asFetch(address))).status).toBe(404);
      expect((await git.run(git.home, 'ls-remote', address)).code).not.toBe(0);
    });

    it('die with their connection', async () => {
      const { artifactId } = await rig.create();
      const agent = rig.connection(rig.owner.personId, rig.projectId);
      const address = await remote(artifactId, agent);
      expect((await git.run(git.home, 'ls-remote', address)).code).toBe(0);
      rig.connections.living.delete(agent.connectionId);
      expect((await git.run(git.home, 'ls-remote', address)).stderr).toMatch(expired);
    });

    it('artifacts 61: die with the membership of their person, and with the right to write', async () => {
      const { artifactId } = await rig.create();
      const address = await remote(artifactId, rig.member);
      expect((await git.run(git.home, 'ls-remote', address)).code).toBe(0);
      rig.access.add(rig.projectId, rig.owner.personId, { [rig.viewer.personId]: 'viewer' });
      try {
        expect((await git.run(git.home, 'ls-remote', address)).stderr).toMatch(expired);
      } finally {
        rig.access.add(rig.projectId, rig.owner.personId, {
          [rig.member.personId]: 'member',
          [rig.viewer.personId]: 'viewer',
        });
      }
      await expect(rig.get(MintGitToken).execute(rig.viewer, { artifactId })).rejects.toMatchObject({
        kind: 'forbidden',
      });
      await expect(rig.get(MintGitToken).execute(rig.stranger, { artifactId })).rejects.toThrow(
        'Artifact not found or not accessible.',
      );
    });

    it('die when they are revoked, and are kept as hashes alone', async () => {
      const { artifactId } = await rig.create();
      const address = await remote(artifactId);
      const secret = new URL(address).password;
      const rows = await db.database.query('SELECT * FROM artifacts.git_token WHERE artifact_id = $1', [
        artifactId,
      ]);
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(JSON.stringify(rig.audit.entries)).not.toContain(secret);
      expect(await rig.get(GitTokens).revoke({ artifactId }, rig.clock.now())).toBe(1);
      expect((await git.run(git.home, 'ls-remote', address)).stderr).toMatch(expired);
    });

    it('are asked for with a challenge, and a wrong one is no token', async () => {
      const { artifactId } = await rig.create();
      const path = `http://${origin}/git/${artifactId}.git/info/refs?service=git-upload-pack`;
      for (const authorization of [undefined, 'Bearer x', `Basic ${btoa('x-token:lpg_wrong')}`]) {
        const answer = await fetch(path, authorization ? { headers: { authorization } } : {});
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Loupe artifacts"');
      }
    });

    it('live 5 to 60 minutes', async () => {
      const { artifactId } = await rig.create();
      for (const ttlSeconds of [299, 3_601, 300.5, -1]) {
        await expect(rig.get(MintGitToken).execute(rig.owner, { artifactId, ttlSeconds })).rejects.toThrow(
          'ttlSeconds',
        );
      }
      const { expiresAt } = await rig.get(MintGitToken).execute(rig.owner, { artifactId, ttlSeconds: 300 });
      expect(expiresAt.getTime()).toBe(rig.clock.now().getTime() + 300_000);
    });

    it('are refused while git access is switched off, and those that were end for good', async () => {
      const { artifactId } = await rig.create();
      const address = await remote(artifactId);
      rig.flags.set('artifacts.git.enabled', 'false');
      try {
        await expect(rig.get(MintGitToken).execute(rig.owner, { artifactId })).rejects.toThrow(
          'Git access to artifacts is switched off on this instance.',
        );
        expect((await fetch(...asFetch(address))).status).toBe(404);
      } finally {
        rig.flags.set('artifacts.git.enabled', 'true');
      }
      await until(async () => /expired/.test((await git.run(git.home, 'ls-remote', address)).stderr));
      const { artifactId: other } = await rig.create();
      expect((await git.run(git.home, 'ls-remote', await remote(other))).code).toBe(0);
    });
  });

  it('artifacts 41: serves nothing else below /git', async () => {
    const { artifactId } = await rig.create();
    const [, options] = asFetch(await remote(artifactId));
    const at = (path: string, method = 'GET') => fetch(`http://${origin}${path}`, { ...options, method });
    for (const path of [
      `/git/${artifactId}.git/config`,
      `/git/${artifactId}.git/HEAD`,
      `/git/${artifactId}.git/objects/info/packs`,
      `/git/${artifactId}.git/objects/ab/cdef`,
      `/git/${artifactId}.git/info/refs`,
      `/git/${artifactId}.git/info/refs?service=git-upload-archive`,
      `/git/${artifactId}.git/info/refs?service=git-upload-pack&service=git-upload-pack`,
      `/git/${artifactId}.git`,
      `/git/${artifactId}/info/refs?service=git-upload-pack`,
      `/git/%2e%2e%2f${artifactId}.git/info/refs?service=git-upload-pack`,
      '/git/',
      '/git/x.git/info/refs?service=git-upload-pack',
    ]) {
      expect([path, (await at(path)).status]).toEqual([path, 404]);
    }
    expect((await at(`/git/${artifactId}.git/info/refs?service=git-upload-pack`, 'PUT')).status).toBe(404);
    expect((await at(`/git/${artifactId}.git/git-upload-pack`)).status).toBe(404);
    for (const path of [
      `/git/${artifactId}.git/../../etc/passwd`,
      `/git/../git/${artifactId}.git/config`,
      `//git/${artifactId}.git/config`,
    ]) {
      expect([path, await rawStatus(path)]).toEqual([path, 404]);
    }
  });

  it('serves repositories of apps and documents, not of assets', async () => {
    const { artifactId } = await rig.create(
      { 'a.png': Buffer.from('89504e470d0a1a0a', 'hex') },
      { artifactType: 'asset', origin: 'import' },
    );
    await expect(rig.get(MintGitToken).execute(rig.owner, { artifactId })).rejects.toMatchObject({
      code: 'no_repository',
    });
  });

  it('lets one of two pushes at once through, and makes one version', async () => {
    const { artifactId } = await rig.create();
    const [one, two] = [await cloned(artifactId), await cloned(artifactId)];
    await git.commit(one, 'One');
    await git.commit(two, 'Two');
    const runs = await Promise.all([
      git.run(one, 'push', 'origin', 'main'),
      git.run(two, 'push', 'origin', 'main'),
    ]);
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await latest(artifactId)).latestVersion).toBe(2);
  });

  it('stores a push once whose last step was lost', async () => {
    const { artifactId } = await rig.create();
    const folder = await cloned(artifactId);
    await writeFile(join(folder, 'b.html'), 'b');
    const tip = await git.commit(folder, 'Lost');
    expect((await git.run(folder, 'push', 'origin', 'main')).code).toBe(0);
    // As after a crash between the ref and the row.
    await db.database.query('DELETE FROM artifacts.version WHERE artifact_id = $1 AND number = 2', [
      artifactId,
    ]);
    await db.database.query(
      `UPDATE artifacts.artifact SET latest_version = 1,
         head_revision = (SELECT revision FROM artifacts.version WHERE artifact_id = $1 AND number = 1) WHERE id = $1`,
      [artifactId],
    );
    const [again, other] = await Promise.all([cloned(artifactId), cloned(artifactId)]);
    for (const clone of [again, other]) expect((await git.in(clone, 'rev-parse', 'HEAD')).trim()).toBe(tip);
    expect(await latest(artifactId)).toMatchObject({ latestVersion: 2, headRevision: tip });
  });

  function asFetch(address: string): [string, { headers: { authorization: string } }] {
    const url = new URL(address);
    const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
    url.username = '';
    url.password = '';
    return [`${url}/info/refs?service=git-upload-pack`, { headers: { authorization } }];
  }

  /** `fetch` tidies paths up before it sends them. */
  function rawStatus(path: string): Promise<number> {
    const [host, port] = origin.split(':');
    return new Promise((done, fail) => {
      const socket = connect(Number(port), host, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${origin}\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (part) => {
        text += part.toString();
      });
      socket.on('error', fail);
      socket.on('close', () => done(Number(text.split(' ')[1])));
    });
  }
});
