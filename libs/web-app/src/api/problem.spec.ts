import { addressOf } from './address';
import { ApiProblem, problemFrom, sentenceOf } from './problem';

describe('refusals of the API', () => {
  test('problem JSON keeps code, fields, current object and reference', () => {
    const body = { error: 'stale', message: 'Changed meanwhile.', current: { version: 4 }, traceId: 't1' };
    const problem = problemFrom(409, JSON.stringify(body), null);
    expect(problem).toMatchObject({
      status: 409,
      code: 'stale',
      traceId: 't1',
      isStale: true,
      isAway: false,
    });
    expect(problem.current<{ version: number }>()).toEqual({ version: 4 });
  });

  test('stale_version of the documents is stale too', () => {
    expect(problemFrom(409, '{"error":"stale_version","message":"x"}', null).isStale).toBe(true);
    expect(problemFrom(409, '{"error":"archived","message":"x"}', null).isStale).toBe(false);
  });

  test.each([0, 502, 503, 504])('status %d without a reason means that the server is away', (status) => {
    const problem = problemFrom(status, '<html>Bad gateway</html>', '5');
    expect(problem).toMatchObject({ isAway: true, code: 'away', retryAfter: 5 });
  });

  test('an answer of a proxy is told with its status, not shown as it is', () => {
    const problem = problemFrom(413, '<html>413 Request Entity Too Large</html>', null);
    expect(problem.message).toContain('413');
    expect(problem.message).not.toContain('<html>');
  });

  test('a Retry-After that is a date is ignored', () => {
    expect(
      problemFrom(429, '{"error":"rate_limited","message":"Slow."}', 'Mon, 30 Nov 2026').retryAfter,
    ).toBeNull();
  });

  test('an error of the page itself tells no internals', () => {
    expect(sentenceOf(new TypeError('x is undefined'))).toBe(
      'Something went wrong on this page. Reload it and try again.',
    );
    expect(sentenceOf(new ApiProblem(422, { error: 'invalid', message: 'Too long.' }))).toBe('Too long.');
    const fields = { name: 'Name must not be blank.', workspaceId: 'Choose a workspace.' };
    expect(sentenceOf(new ApiProblem(422, { error: 'invalid', message: 'Look again.', fields }))).toBe(
      'Name must not be blank. Choose a workspace.',
    );
  });
});

describe('addresses', () => {
  test('empty values are left out, false too, zero is not', () => {
    expect(addressOf('/projects', { q: '', page: 0, archived: false, tag: null, status: 'draft' })).toBe(
      '/api/projects?page=0&status=draft',
    );
    expect(addressOf('/session')).toBe('/api/session');
  });
});
