import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import type { PreviewFile } from '#src/artifacts/preview/application/ports/preview-builder.js';
import { ForkedPreviewBuilder } from '#src/artifacts/preview/infrastructure/build/forked-preview-builder.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, newProject, signedIn, sql } from '../support/settled-server.js';
import { until } from '../support/until.js';

const FILES: Readonly<Record<string, string>> = {
  'index.html': '<div id="root"></div><script type="module" src="/src/main.jsx"></script>',
  'src/main.jsx':
    'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("root")).render(<b>Built apart</b>);',
};

const contents: Pick<ArtifactBlobs, 'read'> = { read: async (path) => Buffer.from(FILES[path]!) };
const files: PreviewFile[] = Object.entries(FILES).map(([path, text]) => ({
  path,
  // Here the name stands for the hash.
  sha256: path,
  bytes: text.length,
  contentType: 'text/plain',
  kind: 'text',
}));
const foldersOfBuilds = () => readdirSync(tmpdir()).filter((name) => name.startsWith('loupe-preview-'));

/** The built process of `dist/`, as the server starts it. */
describe('The process that builds previews', () => {
  let builder: ForkedPreviewBuilder;
  let before: string[];

  beforeEach(() => {
    builder = new ForkedPreviewBuilder(contents as ArtifactBlobs, new FixedFlags());
    before = foldersOfBuilds();
  });
  afterEach(() => {
    builder.onModuleDestroy();
    // Nothing stays behind, whatever came of the build.
    expect(foldersOfBuilds().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('artifacts 10.3: builds an app from files that it asks for one by one', async () => {
    const result = await builder.build('react', files, null);
    if (result.state !== 'ready') throw new Error(result.error);
    const script = result.files.find(({ path }) => path.endsWith('.js'))!;
    expect(Buffer.from(script.content).toString()).toContain('Built apart');
  });

  it('renders several at the same time, each to its own end', async () => {
    const results = await Promise.all([1, 2, 3].map(() => builder.build('react', files, null)));
    expect(results.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  });

  it('ends a build that takes too long, and says so', async () => {
    builder.limits = { ms: 20, mebibytes: 512 };
    expect(await builder.build('react', files, null)).toEqual({
      state: 'failed',
      error: 'The build took longer than 0.02 seconds.',
      atLimit: true,
    });
  });

  it('ends a build that takes too much memory, and says so', async () => {
    builder.limits = { ms: 60_000, mebibytes: 8 };
    expect(await builder.build('react', files, null)).toEqual({
      state: 'failed',
      error: 'The build needed more than 8 MB of memory.',
      atLimit: true,
    });
  });

  it('passes on what goes wrong while a file is read', async () => {
    const broken = new ForkedPreviewBuilder(
      { read: () => Promise.reject(new Error('A stored file is damaged.')) } as unknown as ArtifactBlobs,
      new FixedFlags(),
    );
    await expect(broken.build('react', files, null)).rejects.toThrow('A stored file is damaged.');
  });

  it('has another edition for another list of modules, so that a failed build is tried anew', () => {
    const flags = new FixedFlags();
    const one = new ForkedPreviewBuilder(contents as ArtifactBlobs, flags);
    const first = one.editionOf('react');
    flags.set('artifacts.preview_modules', 'react,react-dom,lucide-react');
    expect(one.editionOf('react')).not.toBe(first);
    expect(one.editionOf('react')).toMatch(/^[a-z0-9-]{1,60}$/);
  });
});

describe('Previews of a running server', () => {
  let server: LoupeServer;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
  }, 90_000);
  afterAll(() => server?.stop());

  it('artifacts 5: are built when a version is stored, before anybody looks, and shown without a sign-in by ticket', async () => {
    const admin = await signedIn(server.origin);
    await admin.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
    const projectId = await newProject(admin, 'Previews');
    const path = `/projects/${projectId}/artifacts`;
    let made: { status: number; body: { artifactId: string } } | null = null;
    // The flag reaches the process by a signal.
    await until(async () => {
      made = await admin.api('POST', path, {
        type: 'import',
        name: 'Till',
        framework: 'react',
        files: { ...FILES, 'package.json': '{"dependencies":{"react":"*"}}' },
      });
      return made.status === 201;
    });
    const { artifactId } = made!.body;
    await until(
      async () => {
        const rows = await sql<{ state: string }>(
          server,
          `SELECT b.state FROM artifacts.preview_build b JOIN artifacts.version v ON v.id = b.version_id
           WHERE v.artifact_id = $1`,
          [artifactId],
        );
        return rows[0]?.state === 'ready';
      },
      30_000,
      'The build did not end.',
    );
    const ticket = await admin.api<{ frameUrl: string }>('GET', `${path}/${artifactId}/preview-ticket`);
    const page = await fetch(ticket.body.frameUrl);
    expect([page.status, (await page.text()).includes('/preview-build/main-')]).toEqual([200, true]);
    // A ticket is a secret: it is in no line of the log.
    expect(server.log).not.toContain(new URL(ticket.body.frameUrl).pathname.split('/')[2]!);
  }, 90_000);
});
