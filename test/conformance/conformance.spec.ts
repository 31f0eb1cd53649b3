import { spawn } from 'node:child_process';
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

/** The suite needs Node 22; on an older line `npm test` finds one, or says that it left this out. */
const nodeForSuite =
  Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : process.env.LOUPE_NODE_22;

async function runSuite(revision: string): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-conformance-'));
  const child = spawn(
    nodeForSuite!,
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

const describeWithNode22 = nodeForSuite ? describe : describe.skip;

describeWithNode22.each(['2025-11-25', '2026-07-28'])('the official conformance suite at %s', (revision) => {
  it('finds nothing beyond the optional features that the baseline names', async () => {
    const { code, output } = await runSuite(revision);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  }, 180_000);
});
