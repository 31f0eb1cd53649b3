import { GenerationJob, type JobFacts } from './generation-job.js';
import { readGenerationRequest } from './generation-request.js';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 9, minutes));

function job(generator = 'website-snapshot'): GenerationJob {
  const facts: JobFacts = {
    jobId: 'j',
    artifactId: 'a',
    projectId: 'p',
    workspaceId: 'w',
    request: readGenerationRequest({ type: 'l2c', url: 'https://example.com' }),
    requestIdentity: 'x',
    generator,
    requestedBy: { kind: 'agent', personId: 'u' },
    createdAt: at(0),
  };
  return GenerationJob.queued(facts, ['first']);
}

describe('a generation job', () => {
  it('runs from queued to succeeded, and its progress never falls', () => {
    const it = job();
    expect(it.progress).toMatchObject({ state: 'queued', progress: 0 });
    expect(it.advance(50)).toBe(false);
    expect(it.succeed([], at(1))).toBe(false);
    expect(it.start(at(1))).toBe(true);
    expect(it.progress).toMatchObject({ state: 'running', progress: 1, startedAt: at(1) });
    expect([it.advance(40.9), it.advance(30), it.advance(1_000)]).toEqual([true, false, true]);
    expect(it.progress.progress).toBe(99);
    expect(it.succeed(['first', 'second'], at(2))).toBe(true);
    expect(it.progress).toMatchObject({
      state: 'succeeded',
      progress: 100,
      notes: ['first', 'second'],
      finishedAt: at(2),
    });
  });

  it('starts again after a crash with the time it began', () => {
    const it = job();
    it.start(at(1));
    it.advance(40);
    expect(it.start(at(5))).toBe(true);
    expect(it.progress).toMatchObject({ startedAt: at(1), progress: 40 });
  });

  it('artifacts 13: what comes after the end changes nothing', () => {
    for (const end of [
      (ended: GenerationJob) => ended.cancel(at(2)),
      (ended: GenerationJob) => ended.fail('Gone.', at(2)),
      (ended: GenerationJob) => ended.succeed([], at(2)),
    ]) {
      const it = job();
      it.start(at(1));
      end(it);
      const then = it.progress;
      expect([
        it.start(at(3)),
        it.advance(99),
        it.succeed([], at(3)),
        it.fail('x', at(3)),
        it.cancel(at(3)),
      ]).toEqual([false, false, false, false, false]);
      expect(it.progress).toEqual(then);
    }
  });

  it('a queued job can fail and be cancelled', () => {
    const failed = job();
    failed.fail('x'.repeat(600), at(1));
    expect(failed.progress.error).toHaveLength(500);
    const cancelled = job();
    cancelled.cancel(at(1));
    expect(cancelled.progress).toMatchObject({ state: 'cancelled', error: 'Cancelled.' });
  });

  it('has 10 minutes in the server, 60 with a bridge, and 24 hours until somebody takes it', () => {
    const builtIn = job();
    expect(builtIn.deadline).toEqual(at(24 * 60));
    builtIn.start(at(3));
    expect(builtIn.deadline).toEqual(at(13));
    const bridge = job('bridge-worker');
    bridge.start(at(3));
    expect(bridge.deadline).toEqual(at(63));
  });
});
