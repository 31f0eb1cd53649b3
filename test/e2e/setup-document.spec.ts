import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RunningCommand } from '../support/cli-machine.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

/** What `/setup.md` tells agents, done word for word on a machine that has nothing of Loupe yet. */
describe('the setup document', () => {
  let server: LoupeServer;
  let visitor: Visitor;
  let projectId: string;
  let home: string;
  let repository: string;
  let document: string;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    visitor = await signedIn(server.url);
    await liftRateLimit(visitor);
    projectId = await newProject(visitor, 'Ferry bookings');
    await newProject(visitor, 'Another one');
    home = mkdtempSync(join(tmpdir(), 'loupe-setup-'));
    repository = join(home, 'repository');
    mkdirSync(repository);
    mkdirSync(join(home, 'bin'));
    // Claude Code as far as the command knows it.
    writeFileSync(join(home, 'bin/claude'), `#!/bin/sh\necho "$@" >> "${join(home, 'claude-calls')}"\n`);
    chmodSync(join(home, 'bin/claude'), 0o755);
    document = await (await fetch(`${server.url}/setup.md?project=${projectId}`)).text();
  }, 120_000);

  afterAll(async () => {
    if (home) rmSync(home, { recursive: true, force: true });
    await server?.stop();
  });

  /** Blocks and code of the numbered steps that are commands, in their order. */
  const commands = (): string[] => {
    const steps = document.slice(0, document.indexOf('## Without the command'));
    return [...steps.matchAll(/```sh\n([\s\S]*?)```|`((?:loupe|codex|curl) [^`\n]+)`/g)].map(
      ([, block, inline]) => (block ?? inline!).trim(),
    );
  };
  const shell = (command: string) =>
    new RunningCommand(
      spawn('sh', ['-c', command], {
        cwd: repository,
        env: {
          PATH: `${join(home, '.local/bin')}:${join(home, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
          HOME: home,
          XDG_CONFIG_HOME: join(home, '.config'),
          LOUPE_INSTALL_NO_TTY: '1',
        },
      }),
    );
  const run = async (command: string) => {
    const running = shell(command);
    running.child.stdin.end();
    return running.ended;
  };

  it('platform 19.11: holds the project, no step that does not exist yet, and no word of the request', () => {
    expect(commands()).toEqual([
      'loupe version',
      `curl -fsSL ${server.url}/install.sh | sh`,
      `loupe status --url ${server.url}`,
      `loupe login --url ${server.url} --json`,
      `loupe project link --project ${projectId} --mcp`,
      'loupe mcp',
      'loupe mcp',
      `codex mcp add loupe -- loupe mcp --project ${projectId}`,
      'loupe status',
    ]);
    expect(document).not.toMatch(/loupe (init|bridge|update)/);
  });

  it('platform 19.11: every step works as it is written, up to the first call of a tool', async () => {
    const [version, install, status, login, link, , , codex, check] = commands() as [string, ...string[]] &
      string[];
    expect((await run(version)).code).not.toBe(0);

    const installed = await run(install!);
    expect([installed.code, installed.stderr]).toEqual([0, expect.any(String)]);
    expect((await run(version)).code).toBe(0);

    const before = await run(status!);
    expect(before.stdout).toMatch(/^FAIL Login/m);

    const signingIn = shell(login!);
    await until(() => signingIn.stdout.includes('\n'), 20_000, 'The command printed no code.');
    const { verificationUriComplete, userCode } = JSON.parse(signingIn.stdout) as Record<string, string>;
    const page = await visitor.open(verificationUriComplete!);
    expect(page.html).toContain(userCode);
    expect((await visitor.submit(page, { answer: 'allow' })).status).toBe(200);
    expect((await signingIn.ended).code).toBe(0);

    const linked = await run(link!);
    expect([linked.code, linked.stderr]).toEqual([0, expect.any(String)]);
    expect(readFileSync(join(repository, '.loupe.yaml'), 'utf8')).toContain(projectId);
    expect(readFileSync(join(repository, '.loupe/lifecycle.md'), 'utf8')).not.toBe('');
    expect(readFileSync(join(home, 'claude-calls'), 'utf8')).toContain(
      'mcp add --scope user loupe -- loupe mcp',
    );

    const checked = await run(check!);
    expect([checked.code, checked.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, 'loupe status: PASS']);

    const agent = shell(codex!.replace(/^.* -- /, ''));
    agent.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    await agent.answer(1, 30_000);
    agent.send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'project_current', arguments: {} },
    });
    const { result } = await agent.answer(2, 30_000);
    expect(result?.structuredContent).toMatchObject({ id: projectId, name: 'Ferry bookings' });
    agent.child.stdin.end();
    expect((await agent.ended).code).toBe(0);
  }, 180_000);

  it('without a project the command says which ones there are, and ends with the code that is named', async () => {
    const text = await (await fetch(`${server.url}/setup.md`)).text();
    expect(text).toContain('ends with code 4 and lists them');
    const { code, stderr } = await run('loupe project link --force --mcp --no-input');
    expect([code, stderr]).toEqual([4, expect.stringContaining(projectId)]);
    expect(await once(shell('loupe help').child, 'close')).toEqual([0, null]);
  });
});
