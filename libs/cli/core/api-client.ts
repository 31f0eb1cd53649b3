import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ExitCode } from './exit-codes.js';
import { Failure, loginRefused, reasonOf } from './failure.js';
import { type SignIn, unreachable } from './sign-in.js';
import type { Fetch } from './web.js';

const WAITS_MS = [500, 1_000, 2_000, 4_000];
const USUAL_RETRY_AFTER_S = 2;
const LONGEST_RETRY_AFTER_S = 60;
/** A push of many files meets the limit of the server minute after minute, and goes on. */
const MOST_LIMITED = 20;
const CALL_LIMIT_MS = 120_000;

/** A refusal of the server, in its own words. */
export class Refusal extends Failure {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: string,
    exitCode: ExitCode,
  ) {
    super(
      exitCode,
      sentence.replace(/[.\s]+$/, ''),
      FIXES[code] ?? `see \`--debug\` (HTTP ${status} ${code})`,
    );
  }
}

const FIXES: Readonly<Record<string, string>> = {
  invalid: 'change it and try again',
  not_found: 'check the id, and the project of .loupe.yaml',
  project_not_covered: 'run `loupe project link`',
  switched_off: 'ask the admin of this Loupe to switch it on',
  rate_limited: 'wait a while and try again',
  forbidden: 'ask the owner or a maintainer for the right',
};

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Made again for each repeat. */
  readonly body?: () => RequestInit['body'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The HTTP API with the sign-in of this machine: refreshes it, and repeats what a busy or absent server did not answer. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly signIn: Pick<SignIn, 'accessToken' | 'refreshed'>,
    private readonly fetch: Fetch,
    private readonly waitsMs: readonly number[] = WAITS_MS,
  ) {}

  /** @throws Refusal for a 4xx, Failure (3), (5) or (6). */
  async call<T>(path: string, call: ApiCall = {}): Promise<T> {
    const answer = await this.answered(path, call);
    const text = await answer.text();
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw new Failure(
        ExitCode.failed,
        `${this.url} answered ${path} with something that is no JSON`,
        'check that the address is that of a Loupe',
      );
    }
  }

  private async answered(path: string, call: ApiCall): Promise<Response> {
    const requestId = randomUUID();
    let token = await this.signIn.accessToken();
    let refreshed = false;
    let limited = 0;
    for (let tries = 0; ; ) {
      const { answer, why } = await this.once(path, call, token, requestId);
      if (answer?.ok) return answer;
      if (answer?.status === 401) {
        if (refreshed) throw loginRefused('the server refused the sign-in');
        token = await this.signIn.refreshed(token);
        refreshed = true;
        continue;
      }
      if (answer?.status === 429) {
        limited += 1;
        if (limited > MOST_LIMITED) throw await refusalOf(answer);
        await pause(retryAfterMs(answer), undefined, { signal: call.signal });
        continue;
      }
      if (answer !== null && answer.status < 500) throw await refusalOf(answer);
      const wait = this.waitsMs[tries];
      if (wait === undefined) throw unreachable(this.url, why);
      tries += 1;
      await pause(wait * (0.8 + Math.random() * 0.4), undefined, { signal: call.signal });
    }
  }

  private async once(path: string, call: ApiCall, token: string, requestId: string) {
    const limit = AbortSignal.timeout(CALL_LIMIT_MS);
    try {
      const answer = await this.fetch(`${this.url}${path}`, {
        method: call.method ?? 'GET',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'loupe-request-id': requestId,
          ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        body: call.json === undefined ? call.body?.() : JSON.stringify(call.json),
        signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
      });
      return { answer, why: `HTTP ${answer.status}` };
    } catch (error) {
      if (call.signal?.aborted) throw error;
      return { answer: null, why: reasonOf(error) };
    }
  }
}

function retryAfterMs(answer: Response): number {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const asked = Number.isFinite(seconds) && seconds >= 0 ? seconds : USUAL_RETRY_AFTER_S;
  return Math.min(asked, LONGEST_RETRY_AFTER_S) * 1000;
}

async function refusalOf(answer: Response): Promise<Failure> {
  const body = (await answer.json().catch(() => null)) as {
    error?: unknown;
    code?: unknown;
    message?: unknown;
    detail?: unknown;
    fields?: unknown;
  } | null;
  const code = [body?.error, body?.code].find((value) => typeof value === 'string') as string | undefined;
  const said = [body?.message, body?.detail].find((value) => typeof value === 'string') as string | undefined;
  if (answer.status === 426) {
    return new Failure(
      ExitCode.versionMismatch,
      said ?? 'this loupe and the server do not fit together',
      'install the one that the server offers: its /install.sh does it',
    );
  }
  const sentence = said ?? `the server refused with HTTP ${answer.status}`;
  const fields =
    body?.fields !== null && typeof body?.fields === 'object' ? Object.entries(body?.fields ?? {}) : [];
  const named = fields
    .map(([name, problem]) => `${name}: ${String(problem).replace(/[.\s]+$/, '')}`)
    .join('; ');
  const noProject = code === 'project_not_covered' || code === 'invalid_project';
  return new Refusal(
    answer.status,
    code ?? `http_${answer.status}`,
    named || sentence,
    noProject ? ExitCode.noProject : ExitCode.failed,
  );
}
