import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { ended, run } from '../support/built-program.js';
import { ExternalPostgres, systemPostgres } from '../support/external-postgres.js';
import { contextFilter, copyOf, dockerfile, layOutContext, layOutImage, sealed } from '../support/image.js';
import { adminEnv, newProject, signedIn } from '../support/settled-server.js';
import { TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

interface Service {
  readonly image?: string;
  readonly environment?: Record<string, string>;
  readonly env_file?: string;
  readonly ports?: string[];
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly tmpfs?: string[];
  readonly volumes?: string[];
  readonly stop_grace_period?: string;
  readonly profiles?: string[];
  readonly command?: string[];
  readonly network_mode?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Record<string, { condition: string }> | string[];
}

interface Compose {
  readonly services: Record<string, Service>;
  readonly volumes: Record<string, null>;
}

const compose = (name: string): Compose =>
  parse(readFileSync(join(applicationRoot, 'docker', name), 'utf8'), { merge: true }) as Compose;

const UID = 10_001;
/** A user without rights that every machine knows by name. */
const NOBODY = 65_534;

// No container runtime is at hand in tests, so what the image is made of is laid out by hand.
describe('platform 16.2: what the image and the compose files say', () => {
  const instructions = dockerfile();

  it('copies nothing that is not there or that .dockerignore keeps out', () => {
    const allowed = contextFilter();
    const sources = instructions
      .filter(({ name }) => name === 'COPY')
      .map(copyOf)
      .filter(({ from }) => from === null)
      .flatMap((copy) => copy.sources)
      .filter((source) => source !== '.');
    expect(sources).toContain('docker/loupe-server');
    for (const source of sources) {
      expect([source, existsSync(join(applicationRoot, source)), allowed(source)]).toEqual([
        source,
        true,
        true,
      ]);
    }
    for (const secret of [
      'var/secrets.json',
      'docker/loupe.env',
      '.git/config',
      'node_modules/x',
      'dist/x',
    ]) {
      expect([secret, allowed(secret)]).toEqual([secret, false]);
    }
  });

  it('runs as a user without rights, under an init, with a probe and the signal of an orderly stop', () => {
    const last = (name: string) => instructions.filter((one) => one.name === name).at(-1)?.text;
    expect(last('USER')).toBe(`${UID}:${UID}`);
    expect(last('ENTRYPOINT')).toContain('tini');
    expect(last('STOPSIGNAL')).toBe('SIGTERM');
    expect(last('HEALTHCHECK')).toContain('/healthz');
    const [program] = /dist\/\S+\.js/.exec(last('CMD')!)!;
    expect(existsSync(join(applicationRoot, program))).toBe(true);
  });

  it.each(['compose.yaml', 'compose.dev.yaml'])(
    '%s: loopback ports, nothing writable but data, all named',
    (file) => {
      const { services, volumes } = compose(file);
      const known = execFileSync('cat', [
        ...['configuration', 'artifact-values', 'blob-bucket', 'company-sign-in-values', 'mailer-values'].map(
          (name) => join(applicationRoot, 'libs/configuration', `${name}.ts`),
        ),
      ]).toString();
      for (const [name, service] of Object.entries(services)) {
        for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
        for (const volume of service.volumes ?? []) {
          expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
        }
        const needed = service.depends_on ?? {};
        for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) {
          expect(Object.keys(services)).toContain(other);
        }
        if (!service.image?.includes('loupe:')) continue;
        expect([name, service.read_only]).toEqual([name, true]);
        if (service.network_mode) continue;
        expect(service).toMatchObject({
          cap_drop: ['ALL'],
          stop_grace_period: '75s',
          tmpfs: [expect.stringMatching(/^\/tmp/)],
          volumes: ['data:/data'],
        });
        for (const variable of Object.keys(service.environment ?? {})) {
          expect([variable, known.includes(`'${variable}'`)]).toEqual([variable, true]);
        }
      }
    },
  );

  it('compose.yaml: web and worker wait for migrate, which waits for the database; a missing file of variables stops it', () => {
    const { services } = compose('compose.yaml');
    const { web, worker, migrate, database, redis } = services;
    for (const one of [web, worker]) {
      expect(one!.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
      expect(one!.env_file).toBe('loupe.env');
    }
    expect([web!.environment!.LOUPE_ROLE, worker!.environment!.LOUPE_ROLE]).toEqual(['web', 'worker']);
    // The probe of the image asks the port that the worker has.
    expect(worker!.healthcheck).toBeUndefined();
    expect(worker!.environment).toMatchObject({ WORKER_HOST: '0.0.0.0', WORKER_PORT: '3001' });
    expect(migrate!.command).toEqual(['loupe-server', 'migrate']);
    expect(migrate!.depends_on).toMatchObject({ database: { condition: 'service_healthy' } });
    expect(redis!.profiles).toEqual(['redis']);
    expect(database!.volumes).toEqual(['database_data:/var/lib/postgresql']);
    for (const variable of ['DEFAULT_URI', 'APP_SECRET', 'APP_ENCRYPTION_KEY', 'DATABASE_URL']) {
      expect(web!.environment![variable]).toMatch(/\$\{\w+:\?/);
    }
    const example = readFileSync(join(applicationRoot, 'docker/loupe.env.example'), 'utf8');
    const guarded = JSON.stringify(services).matchAll(/\$\{(\w+):\?/g);
    for (const [, variable] of guarded) expect(example).toMatch(new RegExp(`^${variable}=$`, 'm'));
  });
});

describe('platform 16.2: what the image holds runs', () => {
  let folder: string;
  let image: string;
  let data: string;
  let external: ExternalPostgres | null = null;
  let quick: TestDatabase | null = null;
  let databaseUrl: string;
  let port: number;
  const running: ChildProcess[] = [];
  const asUser = userInfo().uid === 0 ? { uid: UID, gid: UID } : {};

  const environment = (role: string): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    APP_ENV: 'prod',
    DEFAULT_URI: `http://localhost:${port}`,
    APP_SECRET: 'a secret of at least thirty-two characters',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: databaseUrl,
    LOUPE_VAR_DIR: data,
    LOUPE_ROLE: role,
    PORT: String(port),
    ...adminEnv,
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-image-'));
    chmodSync(folder, 0o755);
    const context = join(folder, 'context');
    image = join(folder, 'app');
    data = join(folder, 'data');
    for (const one of [context, image, data]) mkdirSync(one);
    if (asUser.uid !== undefined) chownSync(data, UID, UID);
    layOutContext(context);
    const built = await run('npm', ['run', '--silent', 'build'], {
      cwd: context,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
      limitMs: 400_000,
    });
    if (built.code !== 0) throw new Error(`The build failed: ${built.stdout}${built.stderr}`);
    layOutImage(context, image);
    sealed(image);
    const bin = systemPostgres();
    if (bin) {
      external = await ExternalPostgres.start(bin);
      databaseUrl = external.createDatabase('loupe');
    } else {
      quick = await TestDatabase.start({ migrated: false });
      databaseUrl = quick.url;
    }
    port = await freePort();
  }, 600_000);

  afterAll(async () => {
    for (const one of running) {
      if (one.exitCode === null && one.signalCode === null) {
        one.kill('SIGKILL');
        await once(one, 'exit');
      }
    }
    await external?.stop();
    await quick?.stop();
    if (folder) {
      execFileSync('chmod', ['-R', 'u+w', folder]);
      await rm(folder, { recursive: true, force: true });
    }
  }, 180_000);

  function start(role: string): ChildProcess {
    const child = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
      cwd: image,
      env: environment(role),
      stdio: ['ignore', 'inherit', 'inherit'],
      ...asUser,
    });
    running.push(child);
    return child;
  }

  it('as a user without rights, on files that nobody can write, as web and worker of production', async () => {
    const migrated = await run(process.execPath, ['dist/server/console.js', 'migrate'], {
      cwd: image,
      env: environment('web'),
      ...asUser,
    });
    expect([migrated.code, migrated.stderr]).toEqual([0, '']);
    const web = start('web');
    const worker = start('worker');
    const origin = `http://localhost:${port}`;
    const healthy = async () => (await fetch(`${origin}/healthz`).catch(() => null))?.ok === true;
    await until(healthy, 120_000, 'The web process is not healthy.');
    const admin = await signedIn(origin);
    const projectId = await newProject(admin, 'In a box');
    const made = await admin.api('POST', `/projects/${projectId}/documents`, {
      title: 'Plan',
      // Long enough for the thread that renders.
      markdown: `# Plan\n\n${'Some *words* in a box.\n\n'.repeat(4_000)}`,
    });
    expect(made.status).toBe(201);
    await admin.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
    const artifact = await admin.api('POST', `/projects/${projectId}/artifacts`, {
      type: 'import',
      files: { 'index.html': '<h1>Boxed</h1>' },
    });
    expect(artifact.status).toBe(201);
    await admin.api('POST', '/account/exports');
    await until(
      async () =>
        (await admin.api<{ exports: { state: string }[] }>('GET', '/account/exports')).body.exports[0]
          ?.state === 'ready',
      120_000,
      'The worker made no export.',
    );
    expect((await admin.request('/install.sh')).status).toBe(200);
    expect((await admin.request(`/projects/${projectId}`, { headers: { accept: 'text/html' } })).status).toBe(
      200,
    );
    const { body } = await admin.api<{ checks: { name: string; state: string; sentence: string }[] }>(
      'GET',
      '/admin/status',
    );
    expect(body.checks.filter(({ state }) => state === 'failed')).toEqual([]);
    for (const one of [web, worker]) {
      one.kill('SIGTERM');
      const [code] = await once(one, 'exit');
      expect(code).toBe(0);
    }
  }, 600_000);

  it('without a database beside it too: the embedded one lies on the volume', async () => {
    const { DATABASE_URL: _, ...alone } = environment('web');
    const own = join(folder, 'alone');
    mkdirSync(own);
    if (asUser.uid !== undefined) chownSync(own, NOBODY, NOBODY);
    const address = await run(process.execPath, ['dist/server/console.js', 'db:url'], {
      cwd: image,
      env: { ...alone, LOUPE_VAR_DIR: own },
      // PostgreSQL wants a name for its user, as the image has one.
      ...(asUser.uid === undefined ? {} : { uid: NOBODY, gid: NOBODY }),
    });
    expect([address.code, address.stderr]).toEqual([0, '']);
    expect(address.stdout).toMatch(/^postgres:\/\/loupe:/);
    expect(existsSync(join(own, 'postgres', 'PG_VERSION'))).toBe(true);
  }, 240_000);
});

it('platform 16.2: the image starts with nothing set by naming what it needs', async () => {
  const { code, stderr } = await ended('main', { APP_ENV: 'prod', LOUPE_VAR_DIR: '/nowhere' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/DEFAULT_URI.*APP_SECRET.*APP_ENCRYPTION_KEY/s)]);
});
