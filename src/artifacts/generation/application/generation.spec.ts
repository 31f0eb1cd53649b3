import { DomainError } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { until } from '../../../../test/support/until.js';
import { GenerationRig, SYSTEM } from '../testing/generation-rig.js';
import { GenerationFailed } from './ports/artifact-generator.js';

const page = { type: 'l2c', url: 'https://example.com/' } as const;
const prompt = { type: 'p2c', prompt: 'A page about bees' } as const;
const figma = { type: 'f2c', fileKey: 'abcDEF', nodesId: ['1:2'] } as const;
const TOKEN = 'figd_secret-token-of-a-person';

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error) => (error instanceof DomainError ? `${error.code}: ${error.message}` : `fault: ${error}`),
  );
}

describe('generation', () => {
  let database: TestDatabase;
  let rig: GenerationRig;

  beforeAll(async () => {
    database = await TestDatabase.start({ pool: 10 });
  });

  afterAll(() => database.stop());

  beforeEach(async () => {
    await database.database.query('DELETE FROM artifacts.generation_job');
    rig = new GenerationRig(database.database);
  });

  it('artifacts 15.26: makes the artifact at once, runs through the queue, and is ready with name and notes', async () => {
    const asked = await rig.ask(page);
    expect(asked).toMatchObject({ reused: false, notes: [] });
    expect(rig.library.only).toMatchObject({
      status: 'generating',
      origin: 'l2c',
      shownName: 'Untitled project',
    });
    expect([...rig.queue.entries.keys()]).toEqual([`gen_${asked.jobId}_1`]);
    await rig.work();
    expect(rig.library.only).toMatchObject({
      status: 'ready',
      shownName: 'A page',
      versions: [{ 'index.html': '<h1>Hello</h1>' }],
    });
    const status = await rig
      .status()
      .execute(rig.agent(), { projectId: rig.projectId, artifactId: asked.artifactId });
    expect(status).toMatchObject({
      status: 'ready',
      progress: 100,
      name: 'A page',
      notes: ['A note.'],
      latestVersion: 1,
      artifactUrl: `https://loupe.example/projects/${rig.projectId}/artifacts/${asked.artifactId}`,
      previewUrl: `https://loupe.example/artifacts/${asked.artifactId}/preview`,
    });
    expect(rig.operations()).toEqual(['artifact.generation_requested', 'artifact.generation_succeeded']);
    expect(rig.outbox.events.map((event) => event.type)).toEqual([
      'ArtifactGenerationRequested',
      'ArtifactGenerationProgressed',
      'ArtifactGenerationSucceeded',
    ]);
    expect(rig.live.sent).toContainEqual(
      expect.objectContaining({ topic: `project:${rig.projectId}:artifacts`, type: 'generation' }),
    );
  });

  it('artifacts 15.29: refuses at the call when no generator takes the request, and makes nothing', async () => {
    rig.model.support = { yes: false, why: 'no model endpoint is configured' };
    expect(await refusal(rig.ask(prompt))).toBe(
      'no_generator: type p2c needs a generator: no model endpoint is configured and no running bridge serves this project.',
    );
    expect([rig.library.artifacts.size, await rig.rows(), rig.queue.entries.size]).toEqual([0, [], 0]);
  });

  it('takes the first generator in the order of the instance', async () => {
    rig.bridge.support = { yes: true };
    rig.flags.set('artifacts.generators.l2c', 'unheard-of,website-snapshot');
    await rig.ask(page);
    await rig.work();
    expect([rig.website.asked.length, rig.library.only.status]).toEqual([1, 'ready']);
    rig.flags.set('artifacts.generators.l2c', 'unheard-of');
    expect(await refusal(rig.ask(page))).toBe(
      'no_generator: type l2c needs a generator: this server has no generator unheard-of.',
    );
  });

  it('artifacts 15.31: the same request twice at once, by two members, is one artifact and one reuse', async () => {
    const both = await Promise.all([rig.ask(prompt), rig.ask(prompt, rig.memberId)]);
    expect(both[0]!.artifactId).toBe(both[1]!.artifactId);
    expect(both.map((one) => one.reused).sort()).toEqual([false, true]);
    expect([rig.library.artifacts.size, (await rig.rows()).length]).toEqual([1, 1]);
    await rig.work();
    const again = await rig.ask(prompt);
    expect([again.reused, rig.library.artifacts.size]).toEqual([false, 2]);
  });

  it('twenty equal requests at once give one job', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => rig.ask(page, i % 2 === 0 ? rig.ownerId : rig.memberId)),
    );
    expect(new Set(all.map((one) => one.artifactId)).size).toBe(1);
    expect(all.filter((one) => !one.reused)).toHaveLength(1);
  });

  it('artifacts 15.31: a fourth different one by one person is refused, also when all come at once', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((text) => refusal(rig.ask({ type: 'p2c', prompt: text }))),
    );
    expect(answers.filter((answer) => answer === 'no refusal')).toHaveLength(3);
    expect(new Set(answers)).toEqual(
      new Set(['no refusal', 'limit: Too many active generation jobs (3). Wait for one to finish.']),
    );
    expect(rig.library.artifacts.size).toBe(3);
    expect(await refusal(rig.ask({ type: 'p2c', prompt: 'other' }, rig.memberId))).toBe('no refusal');
    const first = [...rig.library.artifacts.values()][0]!;
    await rig.cancel.execute(rig.person(), { projectId: rig.projectId, artifactId: first.artifactId });
    expect(await refusal(rig.ask({ type: 'p2c', prompt: 'f' }))).toBe('no refusal');
  });

  it('a reused job does not count at the cap', async () => {
    for (const text of ['a', 'b', 'c']) await rig.ask({ type: 'p2c', prompt: text });
    expect(await rig.ask({ type: 'p2c', prompt: 'a' })).toMatchObject({ reused: true });
  });

  it('is refused while the flag is off; a running job finishes', async () => {
    await rig.ask(page);
    rig.flags.set('artifacts.generation.enabled', 'false');
    expect(await refusal(rig.ask(prompt))).toBe(
      'switched_off: Generating artifacts is switched off on this instance.',
    );
    await rig.work();
    expect(rig.library.only.status).toBe('ready');
  });

  it('artifacts 15.61: a viewer may not ask, a stranger sees nothing', async () => {
    expect(await refusal(rig.ask(page, rig.viewerId))).toContain('forbidden: ');
    expect(await refusal(rig.ask(page, rig.ids.next()))).toContain('not_found: ');
  });

  it('artifacts 15.14: a worker session may not ask', async () => {
    rig.hooks.serveWorkerSessions({ isWorkerSession: async (sessionId) => sessionId === 'worker-1' });
    const worker = { ...rig.agent(), agentSessionId: 'worker-1' };
    const asked = rig.request.execute(worker, { projectId: rig.projectId, given: page, figmaToken: null });
    expect(await refusal(asked)).toBe(
      'worker_session: A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.',
    );
    expect(rig.library.artifacts.size).toBe(0);
  });

  it('refusals are recorded, what was not found is not', async () => {
    await refusal(rig.ask(page, rig.viewerId));
    await refusal(rig.ask({ type: 'p2c' }));
    await refusal(rig.ask(page, rig.ids.next()));
    expect(rig.audit.entries.map(({ operation, outcome, context }) => [operation, outcome, context])).toEqual(
      [
        ['artifact.generation_requested', 'refused', { type: 'l2c', code: 'forbidden' }],
        ['artifact.generation_requested', 'refused', { type: 'p2c', code: 'invalid' }],
      ],
    );
  });

  it('artifacts 15.27: refuses at the call what is no public address by its form', async () => {
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://localhost/',
    ]) {
      expect(await refusal(rig.ask({ type: 'l2c', url }))).toBe(
        'invalid: url must be a public http or https address.',
      );
    }
    expect(rig.library.artifacts.size).toBe(0);
  });

  it('artifacts 15.28: f2c needs the token in the header; it is kept sealed, and is gone when the job ends', async () => {
    expect(await refusal(rig.ask(figma))).toBe(
      'invalid: type f2c needs your Figma token in the X-Figma-Token request header; it is never an argument.',
    );
    await rig.ask(figma, rig.ownerId, TOKEN);
    const kept = await database.database.query('SELECT * FROM artifacts.generation_secret');
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(TOKEN);
    let seen: string | null = null;
    rig.figma.work = async ({ figmaToken }) => {
      seen = figmaToken;
      throw new GenerationFailed('Figma refused the token.');
    };
    await rig.work();
    expect([seen, await rig.secretCount()]).toEqual([TOKEN, 0]);
    expect(rig.library.only).toMatchObject({ status: 'failed', error: 'Figma refused the token.' });
    const written = JSON.stringify([
      rig.audit.entries,
      rig.outbox.events,
      [...rig.queue.entries],
      await database.database.query('SELECT * FROM artifacts.generation_job'),
    ]);
    expect(written).not.toContain(TOKEN);
  });

  it('a Figma token is forgotten after 30 minutes', async () => {
    await rig.ask(figma, rig.ownerId, TOKEN);
    rig.clock.advance(30 * 60_000);
    await rig.sweep.execute(SYSTEM);
    expect(await rig.secretCount()).toBe(0);
  });

  it('a generator that fails unexpectedly tells nothing of why', async () => {
    rig.website.work = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    };
    await rig.ask(page);
    await rig.work();
    expect(rig.library.only.error).toBe('The generator failed unexpectedly. The error has been logged.');
  });

  it('a set that does not fit the type is not stored', async () => {
    rig.website.work = async () => ({ name: 'x', files: [{ path: '../x.html', content: '' }], notes: [] });
    await rig.ask(page);
    await rig.work();
    expect(rig.library.only).toMatchObject({
      status: 'failed',
      error: 'What was made cannot be stored: "../x.html" is no plain relative path. There is no index.html.',
      versions: [],
    });
  });

  it('killed and run again: the generator runs anew and its result is stored once', async () => {
    const { jobId } = await rig.ask(page);
    rig.library.stop = new Error('The process was killed.');
    await expect(rig.run.execute(SYSTEM, jobId)).rejects.toThrow('killed');
    expect(await rig.rows()).toMatchObject([{ state: 'running' }]);
    await rig.run.execute(SYSTEM, jobId);
    await rig.run.execute(SYSTEM, jobId);
    expect(rig.library.only).toMatchObject({ status: 'ready', versions: [{}] });
    expect(rig.website.asked).toHaveLength(2);
    expect(rig.operations().filter((operation) => operation.endsWith('succeeded'))).toHaveLength(1 + 1);
  });

  it('two workers with one job store one version', async () => {
    const { jobId } = await rig.ask(page);
    await Promise.all([rig.run.execute(SYSTEM, jobId), rig.run.execute(SYSTEM, jobId)]);
    expect(rig.library.only.versions).toHaveLength(1);
    expect(await rig.rows()).toMatchObject([{ state: 'succeeded', progress: 100 }]);
  });

  it('artifacts 13: a result after the cancel is ignored, and the generator hears of it', async () => {
    const { artifactId, jobId } = await rig.ask(page);
    let stopped: unknown = null;
    rig.website.work = ({ signal }) =>
      new Promise((_, fail) => {
        signal.addEventListener('abort', () => {
          stopped = signal.reason;
          fail(signal.reason);
        });
      });
    const running = rig.run.execute(SYSTEM, jobId);
    await until(() => rig.website.asked.length === 1);
    const cancelled = await rig.cancel.execute(rig.person(), { projectId: rig.projectId, artifactId });
    expect(cancelled).toMatchObject({ state: 'cancelled', error: 'Cancelled.' });
    await running;
    expect(stopped).toMatchObject({ name: 'NoLongerWanted' });
    expect(rig.library.only).toMatchObject({ status: 'failed', error: 'Cancelled.', versions: [] });
    expect(await refusal(rig.cancel.execute(rig.person(), { projectId: rig.projectId, artifactId }))).toBe(
      'not_active: Nothing is being generated for this artifact.',
    );
    expect(rig.operations().at(-1)).toBe('artifact.generation_cancelled');
  });

  it('a generator that does not listen is left behind after the cancel', async () => {
    const { artifactId, jobId } = await rig.ask(page);
    rig.website.work = () => new Promise(() => undefined);
    const running = rig.run.execute(SYSTEM, jobId);
    await until(() => rig.website.asked.length === 1);
    await rig.cancel.execute(rig.person(), { projectId: rig.projectId, artifactId });
    await running;
  });

  it('a person retries a failed one as a new job; the artifact stays', async () => {
    rig.model.work = async () => {
      throw new GenerationFailed('The model did not answer.');
    };
    const { artifactId } = await rig.ask(prompt);
    const about = { projectId: rig.projectId, artifactId };
    expect(await refusal(rig.retry.execute(rig.person(), about))).toContain('not_active: ');
    await rig.work();
    const [one, two] = await Promise.all([
      refusal(rig.retry.execute(rig.person(), about)),
      refusal(rig.retry.execute(rig.person(rig.memberId), about)),
    ]);
    expect([one, two].filter((answer) => answer === 'no refusal')).toHaveLength(1);
    expect(rig.library.only.status).toBe('generating');
    await rig.work();
    expect(rig.library.only).toMatchObject({ status: 'failed', error: 'The model did not answer.' });
    rig.model.support = { yes: false, why: 'no model endpoint is configured' };
    expect(await refusal(rig.retry.execute(rig.person(), about))).toContain('no_generator: type p2c needs');
    expect(await refusal(rig.retry.execute(rig.person(rig.viewerId), about))).toContain('forbidden: ');
  });

  it('a Figma request cannot be retried, for its token is gone', async () => {
    rig.figma.work = async () => {
      throw new GenerationFailed('Figma refused the token.');
    };
    const { artifactId } = await rig.ask(figma, rig.ownerId, TOKEN);
    await rig.work();
    expect(
      await refusal(rig.retry.execute(rig.person(), { projectId: rig.projectId, artifactId })),
    ).toContain('no_generator: The Figma token of this request is gone.');
  });

  it('a job that runs too long fails: by itself, by the next run, and by the sweep', async () => {
    const { jobId } = await rig.ask(page);
    rig.library.stop = new Error('killed');
    await rig.run.execute(SYSTEM, jobId).catch(() => undefined);
    rig.clock.advance(10 * 60_000);
    await rig.sweep.execute(SYSTEM);
    expect(await rig.rows()).toMatchObject([{ state: 'running' }]);
    await rig.run.execute(SYSTEM, jobId);
    expect(rig.library.only).toMatchObject({
      status: 'failed',
      error: 'Generation took longer than 10 minutes.',
    });
    const second = await rig.ask(prompt);
    rig.clock.advance(24 * 60 * 60_000 + 60_000);
    await rig.sweep.execute(SYSTEM);
    expect(rig.library.artifacts.get(second.artifactId)).toMatchObject({
      error: 'Nobody took the work within 24 hours.',
    });
  });

  it('artifacts 14, 15.32: a wait ends with what is then true, hears at once of the end, and holds no connection', async () => {
    const { artifactId, jobId } = await rig.ask(page);
    let finish: () => void = () => undefined;
    rig.website.work = async ({ progress }) => {
      progress(40);
      await new Promise<void>((done) => {
        finish = done;
      });
      return { name: 'Done', files: [{ path: 'index.html', content: '' }], notes: [] };
    };
    const running = rig.run.execute(SYSTEM, jobId);
    const about = { projectId: rig.projectId, artifactId, wait: true };
    const short = await rig.status({ waitMs: 300, pollMs: 100 }).execute(rig.agent(), about);
    expect(short).toMatchObject({
      status: 'generating',
      nextStep: 'Call artifact_status again with wait true.',
    });
    await until(async () => (await rig.rows())[0]!.progress === 40);
    const times = { waitMs: 30_000, pollMs: 30_000 };
    const status = rig.status(times);
    // Many more waits than the pool has connections.
    const waits = Array.from({ length: 500 }, () => status.execute(rig.agent(), about));
    await until(() => rig.statusSignals.size === 500);
    expect(await database.database.query('SELECT 1')).toHaveLength(1);
    finish();
    await running;
    for (const answer of await Promise.all(waits))
      expect(answer).toMatchObject({ status: 'ready', name: 'Done' });
    expect(rig.statusSignals.size).toBe(0);
  });

  it('artifacts 13: a wait ends when the right to the artifact is lost, and when nobody waits any more', async () => {
    const { artifactId } = await rig.ask(page);
    const about = { projectId: rig.projectId, artifactId, wait: true };
    const status = rig.status({ waitMs: 30_000, pollMs: 50 });
    const lost = refusal(status.execute(rig.agent(rig.memberId), about));
    await until(() => rig.statusSignals.size === 1);
    rig.access.setRole(rig.projectId, rig.memberId, null);
    expect(await lost).toBe('not_found: Artifact not found or not accessible.');
    const gone = new AbortController();
    const left = status.execute(rig.agent(), { ...about, signal: gone.signal });
    await until(() => rig.statusSignals.size === 1);
    gone.abort();
    expect(await left).toMatchObject({ status: 'generating' });
  });
});
