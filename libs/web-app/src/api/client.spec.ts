import { api, holdCsrfToken, onCsrfOutOfDate } from './client';
import { ApiProblem } from './problem';
import { serverState } from './server-state';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'no answer';

/** Answers requests from a list, in order, and keeps what was sent. */
function answering(...answers: Answer[]): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = jest.fn(async (url: string, init: RequestInit) => {
    sent.push({
      url,
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    });
    const answer = answers.shift();
    if (answer === undefined || answer === 'no answer') throw new TypeError('Failed to fetch');
    const { status, body, headers } = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  }) as unknown as typeof fetch;
  return sent;
}

const refusal = (error: string) => ({ error, message: 'No.' });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
  holdCsrfToken('token-1');
});

afterEach(() => {
  jest.useRealTimers();
});

describe('requests to the API', () => {
  test('a read carries neither token nor request id', async () => {
    const sent = answering({ status: 200, body: { ok: true } });
    await expect(api.get('/projects', { query: { q: 'a b' } })).resolves.toEqual({ ok: true });
    expect(sent[0]).toMatchObject({ url: '/api/projects?q=a+b', method: 'GET' });
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['accept']);
  });

  test('a write carries the form token and a request id, and an empty answer is undefined', async () => {
    const sent = answering({ status: 204 });
    await expect(api.post('/session/last-project', { projectId: '1' })).resolves.toBeUndefined();
    expect(sent[0]?.headers['loupe-csrf-token']).toBe('token-1');
    expect(sent[0]?.headers['loupe-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
    expect(sent[0]?.body).toEqual({ projectId: '1' });
  });

  test('a write whose answer is lost is sent again under the same id', async () => {
    const sent = answering('no answer', { status: 503 }, { status: 201, body: { id: '1' } });
    const answer = api.post('/projects', { name: 'Ferry' });
    await jest.advanceTimersByTimeAsync(5_000);
    await expect(answer).resolves.toEqual({ id: '1' });
    expect(new Set(sent.map((each) => each.headers['loupe-request-id'])).size).toBe(1);
    expect(sent).toHaveLength(3);
    expect(serverState.get()).toBe('here');
  });

  test('after three more tries a write gives up and says that nothing was lost', async () => {
    const sent = answering();
    const answer = api.post('/projects', {}).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await answer).toMatchObject({ status: 0, isAway: true });
    expect(sent).toHaveLength(4);
    expect(serverState.get()).toBe('away');
  });

  test('a refusal is an answer: it is not sent again', async () => {
    const sent = answering({
      status: 422,
      body: { ...refusal('invalid'), fields: { name: 'must not be empty' } },
    });
    const problem = await api.post('/projects', {}).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ status: 422, fields: { name: 'must not be empty' } });
    expect(sent).toHaveLength(1);
  });

  test('a form token that went out of date is fetched anew, once', async () => {
    onCsrfOutOfDate(async () => holdCsrfToken('token-2'));
    const sent = answering({ status: 403, body: refusal('csrf') }, { status: 200, body: {} });
    await api.put('/admin/flags/x', { value: true });
    expect(sent.map((each) => each.headers['loupe-csrf-token'])).toEqual(['token-1', 'token-2']);

    const again = answering({ status: 403, body: refusal('csrf') }, { status: 403, body: refusal('csrf') });
    await expect(api.put('/admin/flags/x', {})).rejects.toMatchObject({ code: 'csrf' });
    expect(again).toHaveLength(2);
  });

  test('without a session the browser goes to the sign-in page and comes back to this one', async () => {
    const assign = jest.fn();
    const location = { pathname: '/projects/1', search: '?tag=a', assign };
    (globalThis as { window?: unknown }).window = { location };
    answering({ status: 401, body: refusal('unauthenticated') });
    let settled = false;
    void api.get('/projects').finally(() => {
      settled = true;
    });
    await jest.advanceTimersByTimeAsync(10);
    expect(assign).toHaveBeenCalledWith('/login?next=%2Fprojects%2F1%3Ftag%3Da');
    expect(settled).toBe(false);
    delete (globalThis as { window?: unknown }).window;
  });

  test('a request that its page called off is no problem of the server', async () => {
    const caller = new AbortController();
    globalThis.fetch = jest.fn(async () => {
      caller.abort();
      throw new DOMException('aborted', 'AbortError');
    }) as unknown as typeof fetch;
    await expect(api.get('/projects', { signal: caller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
