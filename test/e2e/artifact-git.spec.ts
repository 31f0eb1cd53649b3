import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ArtifactStage } from '../support/artifact-stage.js';
import { GitClient } from '../support/git-client.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

/** Artifacts over git, against the built server and the real git (`artifacts.md` 15, scenarios 38 to 42). */
describe('artifacts over git, from outside', () => {
  let stage: ArtifactStage;
  let git: GitClient;

  beforeAll(async () => {
    stage = await ArtifactStage.start();
    git = await GitClient.start();
  }, 120_000);

  afterAll(async () => {
    await git?.stop();
    await stage?.stop();
  });

  const local = (address: string): string => address.replace(stage.server.url, stage.server.origin);

  /** Tip of `main` on the disk of the server. */
  async function tipOnDisk(artifactId: string): Promise<string> {
    const folder = join(stage.server.varDir, 'git', artifactId.slice(-2), `${artifactId}.git`);
    const { stdout } = await run('git', ['--git-dir', folder, 'rev-parse', 'refs/heads/main'], {
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    });
    return stdout.trim();
  }

  it('artifacts 38: clone, commit, push; the agent reads the change and its old base conflicts', async () => {
    const made = await stage.import({ 'index.html': '<h1>One</h1>' });
    const { token } = await stage.token(['mcp']);
    const minted = await stage.tool(token, 'artifact_get_git_token', { sessionId: made.artifactId });
    expect(minted.data).toMatchObject({ success: true, access: 'rw', sessionId: made.artifactId });
    const folder = await git.clone(local(minted.data.gitRemoteUrl as string), 'journey');
    await writeFile(join(folder, 'index.html'), '<h1>Two</h1>');
    await git.commit(folder, 'Two');
    const { code, stderr } = await git.run(folder, 'push', 'origin', 'main');
    expect({ code, told: /remote: Loupe: stored version 2 \(1 file\)/.test(stderr) }).toEqual({
      code: 0,
      told: true,
    });
    const read = await stage.tool(token, 'artifact_read', {
      artifactId: made.artifactId,
      path: 'index.html',
    });
    expect(read.text).toBe('<h1>Two</h1>');
    const edit = await stage.tool(token, 'artifact_edit', {
      sessionId: made.artifactId,
      baseRevision: made.revision,
      commitMessage: 'Late',
      changes: [{ op: 'write', path: 'index.html', content: 'x' }],
    });
    expect(edit).toMatchObject({ isError: true, data: { error: { code: 'REVISION_CONFLICT' } } });
    // No secret in what the server wrote about it.
    expect(stage.server.log).not.toContain('lpg_');
  });

  it('artifacts 39: a symbolic link is refused in words', async () => {
    const made = await stage.import({ 'index.html': 'x' });
    const folder = await git.clone(local(made.gitRemoteUrl), 'link');
    await run('ln', ['-s', '/etc/passwd', join(folder, 'passwd')]);
    await git.commit(folder, 'Link');
    const { code, stderr } = await git.run(folder, 'push', 'origin', 'main');
    expect(code).not.toBe(0);
    expect(stderr).toContain('remote: Loupe: The path "passwd" is a symbolic link.');
    expect(await tipOnDisk(made.artifactId)).toBe(made.revision);
  });

  it('artifacts 40: a revoked connection kills the tokens that it minted', async () => {
    const made = await stage.import({ 'index.html': 'x' });
    const { token, connectionId } = await stage.token(['mcp']);
    const minted = await stage.tool(token, 'artifact_get_git_token', { sessionId: made.artifactId });
    const address = local(minted.data.gitRemoteUrl as string);
    expect((await git.run(git.home, 'ls-remote', address)).code).toBe(0);
    const { status } = await stage.person.api('DELETE', `/account/connections/${connectionId}`);
    expect(status).toBeLessThan(300);
    const { code, stderr } = await git.run(git.home, 'ls-remote', address);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'remote: This git token has expired. Mint a new one with artifact_get_git_token.',
    );
  });

  it('artifacts 41: nothing else answers below /git, not even with the page of the app', async () => {
    const made = await stage.import({ 'index.html': 'x' });
    for (const path of ['config', 'HEAD', 'objects/info/packs', 'info/refs', '']) {
      const answer = await fetch(`${stage.server.origin}/git/${made.artifactId}.git/${path}`);
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, 'Not found.\n']);
    }
  });

  it('artifacts 42: killed between ref and row of a push, the next access shows the version once', async () => {
    const made = await stage.import({ 'index.html': '<h1>One</h1>' });
    const folder = await git.clone(local(made.gitRemoteUrl), 'killed');
    await writeFile(join(folder, 'index.html'), '<h1>Two</h1>');
    const tip = await git.commit(folder, 'Two');
    // Holds up the row alone: the check before it and the refs go on.
    const brake = new pg.Client({ connectionString: stage.db.url });
    await brake.connect();
    try {
      await brake.query('BEGIN');
      await brake.query('LOCK TABLE artifacts.version IN SHARE ROW EXCLUSIVE MODE');
      const push = git.run(folder, 'push', 'origin', 'main');
      await until(async () => (await tipOnDisk(made.artifactId)) === tip, 30_000, 'The ref did not move.');
      await stage.server.kill();
      await push;
    } finally {
      await brake.end();
    }
    expect(await stage.versions(made.artifactId)).toEqual([1]);
    stage.server = await stage.server.restarted();
    const again = await git.clone(local(made.gitRemoteUrl), 'killed-again');
    expect((await git.in(again, 'rev-parse', 'HEAD')).trim()).toBe(tip);
    expect(await stage.versions(made.artifactId)).toEqual([2, 1]);
    await git.in(again, 'fetch', 'origin');
    expect(await stage.versions(made.artifactId)).toEqual([2, 1]);
    const row = await stage.db.database.one<{ source: string; created_by: string | null }>(
      'SELECT source, created_by FROM artifacts.version WHERE artifact_id = $1 AND number = 2',
      [made.artifactId],
    );
    // Who pushed was noted before the refs moved.
    expect(row).toMatchObject({ source: 'git', created_by: expect.any(String) });
  }, 120_000);

  it('killed while a push is checked: the hook refuses it, and the branch is unmoved', async () => {
    const made = await stage.import({ 'index.html': '<h1>One</h1>' });
    const folder = await git.clone(local(made.gitRemoteUrl), 'unchecked');
    await writeFile(join(folder, 'index.html'), '<h1>Two</h1>');
    await git.commit(folder, 'Two');
    const brake = new pg.Client({ connectionString: stage.db.url });
    await brake.connect();
    try {
      await brake.query('BEGIN');
      await brake.query('LOCK TABLE artifacts.pushed_tip IN SHARE ROW EXCLUSIVE MODE');
      const push = git.run(folder, 'push', 'origin', 'main');
      // The check has read everything and waits to note who pushed.
      await until(
        async () =>
          (
            await stage.db.database.query(
              `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%artifacts.pushed_tip%'`,
            )
          ).length > 0,
        30_000,
        'The push did not reach its check.',
      );
      await stage.server.kill();
      expect((await push).code).not.toBe(0);
    } finally {
      await brake.end();
    }
    expect(await tipOnDisk(made.artifactId)).toBe(made.revision);
    stage.server = await stage.server.restarted();
    const { code, stderr } = await git.run(folder, 'push', 'origin', 'main');
    expect({ code, told: stderr.includes('stored version 2') }).toEqual({ code: 0, told: true });
  }, 120_000);
});
