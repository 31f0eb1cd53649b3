import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliMachine } from '../support/cli-machine.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

const UUID = /^[0-9a-f-]{36}$/;

/** The built command against the built server. */
describe('loupe: sign-in, link and status', () => {
  let server: LoupeServer;
  let visitor: Visitor;
  let first: string;
  let second: string;
  let machine: CliMachine;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    visitor = await signedIn(server.url);
    await liftRateLimit(visitor);
    first = await newProject(visitor, 'First project');
    machine = new CliMachine();
  }, 120_000);

  afterAll(async () => {
    machine?.remove();
    await server?.stop();
  });

  it('cli 12.13: status before any sign-in fails and says what to run, and its last line is FAIL', async () => {
    const fresh = new CliMachine();
    const { code, stdout } = await fresh.run(['status', '--url', server.url]);
    expect(code).toBe(1);
    expect(stdout).toContain('FAIL Login: not signed in');
    expect(stdout).toContain('`loupe login`');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('loupe status: FAIL');
    fresh.remove();
  });

  it('cli 12.4: a refused code is exit 3 and stores nothing', async () => {
    const fresh = new CliMachine();
    const { code, stderr } = await fresh.login(server.url, visitor, 'deny');
    expect([code, stderr]).toEqual([3, expect.stringContaining('error: the sign-in was refused')]);
    expect(existsSync(join(fresh.config, 'config.json'))).toBe(false);
    fresh.remove();
  });

  it('signs in by a code, with one JSON object on stdout, and keeps the file to its owner', async () => {
    const { code, stdout, stderr } = await machine.login(server.url, visitor);
    expect([code, stderr]).toEqual([0, expect.stringContaining('(1 project)')]);
    expect(JSON.parse(stdout)).toMatchObject({
      verificationUri: `${server.url}/oauth/device`,
      userCode: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      expiresIn: 600,
    });
    expect(machine.stored).toMatchObject({ current: server.url, bridgeId: expect.stringMatching(UUID) });
    expect(statSync(join(machine.config, 'config.json')).mode & 0o777).toBe(0o600);
    expect(statSync(machine.config).mode & 0o777).toBe(0o700);
  });

  it('a second sign-in keeps the identity of the bridge', async () => {
    const before = machine.stored.bridgeId;
    expect((await machine.login(server.url, visitor)).code).toBe(0);
    expect(machine.stored.bridgeId).toBe(before);
  });

  it('links the only project without a question, and leaves what is there alone', async () => {
    machine.write('package.json', JSON.stringify({ scripts: { test: 'x', lint: 'y' } }));
    machine.write('AGENTS.md', 'Be kind.');
    const { code, stdout } = await machine.run(['project', 'link', '--no-mcp']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('.loupe.yaml: written')]);
    expect(machine.read('.loupe.yaml')).toBe(`project: ${first}\n`);
    const profile = machine.read('.loupe/lifecycle.md');
    expect(profile.match(/^## .*/gm)).toHaveLength(10);
    expect(profile).toContain('- `npm run test`\n- `npm run lint`');
    expect(profile).toContain('- `AGENTS.md`');

    machine.write('.loupe/lifecycle.md', 'mine');
    const again = await machine.run(['project', 'link', '--no-mcp']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('.loupe.yaml: already')]);
    expect(machine.read('.loupe/lifecycle.md')).toBe('mine');
  });

  it('status passes with one real call, and --json is one object', async () => {
    const { code, stdout } = await machine.run(['status']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('ok   Project: First project (first-project), by .loupe.yaml'),
    ]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('loupe status: PASS');
    const report = JSON.parse((await machine.run(['status', '--json'])).stdout);
    expect(report).toMatchObject({
      ok: true,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'Login', state: 'ok' })]),
    });
  });

  it('cli 12.13: status with a wrong project names the fix, exits 1 and ends in FAIL', async () => {
    const { code, stdout } = await machine.run([
      'status',
      '--project',
      '0192f3c4-5d6e-7f80-9123-456789abcdef',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL Project: .*Next: `loupe project link`$/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('loupe status: FAIL');
  });

  it('a project that the sign-in does not cover is exit 4 with the covered ones', async () => {
    second = await newProject(visitor, 'Second project');
    const unknown = await machine.run([
      'project',
      'link',
      '--force',
      '--project',
      '0192f3c4-5d6e-7f80-9123-456789abcdef',
    ]);
    expect([unknown.code, unknown.stderr]).toEqual([
      4,
      expect.stringContaining(`${second}  second-project  Second project`),
    ]);
    expect(machine.read('.loupe.yaml')).toContain(first);
  });

  it('cli 12.35: with several projects and nobody to ask, link is exit 4 and lists them; other commands never wait', async () => {
    const fresh = new CliMachine();
    await fresh.login(server.url, visitor);
    const link = await fresh.run(['project', 'link', '--no-input']);
    expect([link.code, link.stderr]).toEqual([4, expect.stringContaining(`${first}  first-project`)]);
    expect(existsSync(join(fresh.folder, '.loupe.yaml'))).toBe(false);
    const list = await fresh.run(['artifact', 'list', '--no-input']);
    expect([list.code, list.stderr]).toEqual([4, expect.stringContaining('loupe project link')]);
    fresh.remove();
  });

  it('cli 12.35: every command with --json prints one valid JSON object', async () => {
    machine.write('page/index.html', '<p>Hello</p>');
    for (const args of [
      ['version'],
      ['status'],
      ['project', 'link', '--no-mcp'],
      ['artifact', 'push', 'page', '--dry-run'],
    ]) {
      const { stdout, code } = await machine.run([...args, '--json', '--no-input']);
      expect([args, code, Object.keys(JSON.parse(stdout)).length > 0]).toEqual([args, 0, true]);
    }
  });

  it('cli 12.11: .mcp.json keeps its other servers; a broken one is left alone, exit 1', async () => {
    machine.write(
      '.mcp.json',
      '{\n    "mcpServers": { "other": { "command": "other" } },\n    "more": 1\n}\n',
    );
    expect((await machine.run(['project', 'link', '--mcp-json', '--no-mcp'])).code).toBe(0);
    const text = machine.read('.mcp.json');
    expect(JSON.parse(text)).toEqual({
      mcpServers: { other: { command: 'other' }, loupe: { command: 'loupe', args: ['mcp'] } },
      more: 1,
    });
    expect(text).toContain('\n    "more": 1\n}\n');
    machine.write('.mcp.json', '{ "mcpServers": ');
    const broken = await machine.run(['project', 'link', '--mcp-json', '--no-mcp']);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('.mcp.json')]);
    expect(machine.read('.mcp.json')).toBe('{ "mcpServers": ');
  });

  it('cli 12.12: a foreign declaration of loupe is not removed without an answer, whatever the flags', async () => {
    const settings = join(machine.home, '.claude.json');
    const text = JSON.stringify({ mcpServers: { loupe: { command: 'other-loupe', args: ['serve'] } } });
    writeFileSync(settings, text);
    machine.write('.mcp.json', '{}');
    const { code, stderr } = await machine.run(['project', 'link', '--mcp', '--no-input']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('other-loupe serve')]);
    expect(stderr).toContain('It stays.');
    expect(readFileSync(settings, 'utf8')).toBe(text);
    expect((await machine.run(['status'])).stdout).toContain(
      'note Claude Code: starts something else: other-loupe serve',
    );
  });

  it('adds `loupe mcp` to Claude Code by its own command, and says so when it is there already', async () => {
    const fresh = new CliMachine();
    await fresh.login(server.url, visitor);
    // As the real one: notes what it was asked and keeps its own file.
    const bin = join(fresh.root, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'claude'),
      `#!/bin/sh\necho "$@" >> "$HOME/asked"\nprintf '{"mcpServers":{"loupe":{"command":"loupe","args":["mcp"]}}}' > "$HOME/.claude.json"\n`,
      { mode: 0o755 },
    );
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const link = ['project', 'link', '--project', first, '--mcp', '--json'];
    expect(JSON.parse((await fresh.run(link, env)).stdout)).toMatchObject({ claudeCode: 'added' });
    expect(readFileSync(join(fresh.home, 'asked'), 'utf8')).toBe('mcp add --scope user loupe -- loupe mcp\n');
    expect(JSON.parse((await fresh.run(link, env)).stdout)).toMatchObject({
      claudeCode: 'already',
      files: { '.loupe.yaml': 'already', '.loupe/lifecycle.md': 'kept' },
    });
    const local = { mcpServers: { loupe: { command: 'loupe', args: ['mcp'] } } };
    fresh.write('.mcp.json', JSON.stringify({ mcpServers: { loupe: { command: 'in-file' } } }));
    writeFileSync(join(fresh.home, '.claude.json'), JSON.stringify({ projects: { [fresh.folder]: local } }));
    expect((await fresh.run(link, env)).stderr).toContain('.mcp.json is hidden by the local declaration');
    mkdirSync(join(fresh.home, '.codex'));
    writeFileSync(
      join(fresh.home, '.codex', 'config.toml'),
      '[mcp_servers.loupe]\ncommand = "loupe"\nargs = ["mcp", "--project", "x"]\n\n[other]\n',
    );
    const { stdout } = await fresh.run(['status'], env);
    expect(stdout).toContain('ok   Claude Code: starts `loupe mcp` (local)');
    expect(stdout).toContain('ok   Codex: starts `loupe mcp --project x`');
    fresh.remove();
  });

  it('a repository cannot send the sign-in to a host of its choice, and picks among those that exist', async () => {
    const fresh = new CliMachine();
    await fresh.login(server.url, visitor);
    fresh.write('.loupe.yaml', `project: ${first}\ninstance: https://evil.example\n`);
    expect((await fresh.run(['status'])).stdout).toContain(`ok   Instance: ${server.url}`);
    fresh.signIn('https://other.example', { accessToken: 'a', refreshToken: 'r' });
    fresh.write('.loupe.yaml', `project: ${first}\ninstance: https://other.example/\n`);
    const out = await fresh.run(['logout', '--json']);
    expect(JSON.parse(out.stdout)).toEqual({ signedOut: ['https://other.example'] });
    fresh.remove();
  });

  it('cli 12.5: after a revocation in Connected apps the next command is exit 3 with "Run `loupe login` again"', async () => {
    const fresh = new CliMachine();
    await fresh.login(server.url, visitor);
    const { status } = await visitor.api('POST', '/account/connections/revoke', { all: true });
    expect(status).toBe(200);
    const { code, stderr } = await fresh.run(['project', 'link', '--project', first, '--no-mcp']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('Run `loupe login` again')]);
    fresh.remove();
  });

  it('signs out, keeps the identity of the bridge, and is signed in nowhere', async () => {
    await machine.login(server.url, visitor);
    const { refreshToken } = machine.stored.instances[server.url]!;
    const { bridgeId } = machine.stored;
    const out = await machine.run(['logout', '--json']);
    expect([out.code, JSON.parse(out.stdout)]).toEqual([0, { signedOut: [server.url] }]);
    expect(machine.stored).toEqual({ bridgeId, instances: {} });
    const again = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'loupe-cli',
        refresh_token: refreshToken,
      }),
    });
    expect(again.status).toBe(400);
    expect((await machine.run(['logout'])).code).toBe(3);
  });

  it('says exit 5 when nothing listens there, and 2 for an address that would not be encrypted', async () => {
    const nobody = await machine.run(['login', '--url', 'http://127.0.0.1:9', '--no-input']);
    expect([nobody.code, nobody.stderr]).toEqual([5, expect.stringContaining('does not answer')]);
    const plain = await machine.run(['login', '--url', 'http://loupe.example.com']);
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('https')]);
  });
});
