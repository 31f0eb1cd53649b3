import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { TextWorkerThread } from './text-worker-thread.js';

/** A worker that does what the text says, so that limits and failures can be tried. */
const ENTRY = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ id, work }) => {
  if (work.markdown === 'forever') for (;;);
  if (work.markdown === 'crash') throw new Error('broken inside');
  if (work.markdown === 'deep') return parentPort.postMessage({ id, problems: [{ argument: 'markdown', sentence: 'Too deep.' }] });
  if (work.markdown === 'large') return parentPort.postMessage({ id, refusal: { kind: 'too-large', code: 'x', message: 'Large.' } });
  if (work.markdown === 'fault') return parentPort.postMessage({ id, fault: 'Error: seen inside' });
  setTimeout(() => parentPort.postMessage({ id, result: { html: work.markdown } }), work.markdown === 'slow' ? 200 : 0);
});`;

const tooLong = () => new InvalidInput([{ argument: 'markdown', sentence: 'Too long.' }]);

describe('The worker thread for large texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-worker-'));
  const entry = join(folder, 'entry.cjs');
  writeFileSync(entry, ENTRY);
  let thread: TextWorkerThread;

  beforeEach(() => {
    thread = new TextWorkerThread(entry);
  });
  afterEach(() => thread.close());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (markdown: string, limitMs = 20_000) =>
    thread.run({ kind: 'render', markdown }, limitMs, tooLong);

  it('does one piece after the other and answers each', async () => {
    const answers = await Promise.all(['slow', 'b', 'c'].map((markdown) => run(markdown)));
    expect(answers.map((answer) => answer.html)).toEqual(['slow', 'b', 'c']);
  });

  it('documents 4.6: ends a piece at its limit with its refusal, and the next one works', async () => {
    const [endless, next] = await Promise.allSettled([run('forever', 300), run('next')]);
    expect(endless).toMatchObject({ status: 'rejected', reason: { message: 'markdown: Too long.' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { html: 'next' } });
  });

  it('documents 13: refuses a ninth waiting piece and says when to try again', async () => {
    const pieces = Array.from({ length: 9 }, () => run('slow'));
    await expect(run('one too many')).rejects.toMatchObject({
      kind: 'rate-limited',
      code: 'render_queue_full',
      detail: { retryAfterSeconds: 5 },
    });
    await expect(Promise.all(pieces)).resolves.toHaveLength(9);
  });

  it('brings refusals of the worker back as they are', async () => {
    await expect(run('deep')).rejects.toThrow(
      new InvalidInput([{ argument: 'markdown', sentence: 'Too deep.' }]),
    );
    await expect(run('large')).rejects.toBeInstanceOf(DomainError);
    await expect(run('fault')).rejects.toThrow('seen inside');
  });

  it('starts a new thread after one broke', async () => {
    await expect(run('crash')).rejects.toThrow('broken inside');
    expect((await run('after')).html).toBe('after');
  });

  it('refuses what is left when it is closed', async () => {
    const left = [run('forever'), run('waiting')].map((piece) =>
      expect(piece).rejects.toMatchObject({ code: 'stopping' }),
    );
    await thread.close();
    await Promise.all(left);
  });
});
