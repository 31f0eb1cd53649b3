import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../../test/support/until.js';
import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { readGenerationRequest } from '../../domain/generation-request.js';
import { SnapshotThreads } from './snapshot-threads.js';

/** A thread that does what the page says, so that limits and failures can be tried. */
const ENTRY = `
const { parentPort, workerData: { work, allow } } = require('node:worker_threads');
if (work.html === 'forever') for (;;);
if (work.html === 'memory') { const all = []; for (;;) all.push({ a: [1, 2, 3] }); }
if (work.html === 'crash') throw new Error('broken inside');
if (work.html === 'ends') process.exit(0);
if (work.html === 'deep') parentPort.postMessage({ fault: 'RangeError: Maximum call stack size exceeded' });
parentPort.postMessage({ progress: 40 });
parentPort.postMessage({ set: { name: work.html, files: [{ path: 'a', content: Buffer.from(allow.join()) }], notes: Object.keys(process.env) } });
`;

describe('The threads that copy pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-snapshot-'));
  const entry = join(folder, 'entry.cjs');
  writeFileSync(entry, ENTRY);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (html: string, signal = new AbortController().signal, threads = make()) => {
    const progress: number[] = [];
    const work = {
      request: readGenerationRequest({ type: 'l2c', url: 'https://example.com' }),
      address: 'https://example.com/',
      html,
      at: new Date(0),
      resourcesMs: 0,
    };
    return threads
      .make(work, { signal, progress: (percent) => progress.push(percent) })
      .then((set) => ({ ...set, progress }));
  };
  const make = (graceMs = 20_000) => new SnapshotThreads(entry, { allow: ['a:1'], proxy: null }, graceMs);
  const reason = (work: Promise<unknown>) =>
    work.then(
      () => 'no failure',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it('hand out the files, and tell how far they are; they see nothing of the environment', async () => {
    const set = await run('Page');
    expect([set.name, set.progress, set.notes]).toEqual(['Page', [40], []]);
    expect(Buffer.from(set.files[0]!.content as Uint8Array).toString()).toBe('a:1');
  });

  it('a page that takes too much time, memory or depth fails by itself alone', async () => {
    const tooLarge = 'GenerationFailed: The page is too large to be copied.';
    expect(await reason(run('forever', undefined, make(300)))).toBe(tooLarge);
    expect(await reason(run('memory'))).toBe(tooLarge);
    expect(await reason(run('deep'))).toBe(tooLarge);
    expect(await reason(run('crash'))).toBe('Error: broken inside');
    expect(await reason(run('ends'))).toBe('Error: The thread ended without a result.');
  }, 60_000);

  it('end when the job is no longer wanted; the next ones have their turn', async () => {
    const threads = make();
    const stop = new AbortController();
    const endless = [run('forever', stop.signal, threads), run('forever', stop.signal, threads)];
    let isNext = false;
    const next = run('Next', undefined, threads).then(() => {
      isNext = true;
    });
    await new Promise((tick) => setImmediate(tick));
    expect(isNext).toBe(false);
    stop.abort(new GenerationFailed('Cancelled.'));
    for (const one of endless) expect(await reason(one)).toBe('GenerationFailed: Cancelled.');
    await next;
    await until(() => isNext);
  });
});
