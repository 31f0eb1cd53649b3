import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode } from './exit-codes.js';
import { Failure, reasonOf } from './failure.js';
import { isTokens, unreachable } from './sign-in.js';
import type { Fetch } from './web.js';

export const CLIENT_ID = 'loupe-cli';
const SCOPE = 'agent mcp projects';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What the person needs to answer, and until when. */
export interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds between two questions. */
  readonly interval: number;
}

/** Begins a sign-in by device code (RFC 8628). @throws Failure (5), or (1) when the server refuses. */
export async function startDeviceFlow(fetch: Fetch, url: string, deviceName: string): Promise<DeviceCode> {
  let answer: Response;
  try {
    answer = await fetch(`${url}/oauth/device-authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT_ID, scope: SCOPE, device_name: deviceName }),
    });
  } catch (error) {
    throw unreachable(url, reasonOf(error));
  }
  if (answer.status >= 500) throw unreachable(url, `HTTP ${answer.status}`);
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (!answer.ok || typeof body?.device_code !== 'string') {
    const said = body?.error_description ?? body?.message ?? `HTTP ${answer.status}`;
    throw new Failure(
      ExitCode.failed,
      `${url} gives no sign-in code (${said})`,
      'check that the address is that of a Loupe, or wait a while',
    );
  }
  return {
    deviceCode: body.device_code,
    userCode: String(body.user_code),
    verificationUri: String(body.verification_uri),
    verificationUriComplete: String(body.verification_uri_complete ?? body.verification_uri),
    expiresIn: Number(body.expires_in) || 600,
    interval: Number(body.interval) || 5,
  };
}

/**
 * Asks until the person has answered. A network that fails is waited for as long as the code lives.
 * @throws Failure (3) when the person refused or the code ended.
 */
export async function pollForTokens(
  fetch: Fetch,
  url: string,
  code: DeviceCode,
  wait: (ms: number) => Promise<unknown> = sleep,
  now: () => number = Date.now,
) {
  const end = now() + code.expiresIn * 1000;
  let interval = code.interval;
  for (;;) {
    await wait(interval * 1000);
    if (now() >= end) throw expired();
    const { ok, body } = await ask(fetch, url, code.deviceCode);
    if (ok && isTokens(body)) return body;
    const { error } = (body ?? {}) as { error?: string };
    if (error === 'slow_down') interval += 5;
    if (error === 'access_denied') {
      throw new Failure(
        ExitCode.notSignedIn,
        'the sign-in was refused',
        'run `loupe login` again and press Allow',
      );
    }
    if (error === 'expired_token' || error === 'invalid_grant') throw expired();
  }
}

async function ask(fetch: Fetch, url: string, deviceCode: string): Promise<{ ok: boolean; body: unknown }> {
  try {
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: GRANT, client_id: CLIENT_ID, device_code: deviceCode }),
    });
    return { ok: answer.ok, body: await answer.json() };
  } catch {
    return { ok: false, body: null };
  }
}

function expired(): Failure {
  return new Failure(
    ExitCode.notSignedIn,
    'the code has ended',
    'run `loupe login` again and answer within 10 minutes',
  );
}
