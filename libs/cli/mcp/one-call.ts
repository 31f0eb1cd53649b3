import { reasonOf } from '../core/failure.js';
import type { SignIn } from '../core/sign-in.js';
import { unreachable } from '../core/sign-in.js';
import type { Fetch } from '../core/web.js';

const PROTOCOL = '2025-11-25';
const LIMIT_MS = 15_000;

export type CurrentProject = { readonly name: string; readonly slug: string } | { readonly refusal: string };

/** `project_current` through `/mcp`, as an agent would call it. @throws Failure (3), (5). */
export async function currentProject(
  signIn: SignIn,
  fetch: Fetch,
  project: string | null,
): Promise<CurrentProject> {
  const token = await signIn.accessToken();
  const first = await post(signIn, fetch, project, token);
  const answer =
    first.status === 401 ? await post(signIn, fetch, project, await signIn.refreshed(token)) : first;
  if (answer.status >= 500) throw unreachable(signIn.url, `HTTP ${answer.status}`);
  const body = (await answer.json().catch(() => null)) as {
    message?: string;
    error?: { message?: string };
    result?: {
      isError?: boolean;
      content?: { text?: string }[];
      structuredContent?: Record<string, unknown>;
    };
  } | null;
  const { result } = body ?? {};
  const content = result?.structuredContent;
  if (result && !result.isError && content) return { name: String(content.name), slug: String(content.slug) };
  const said = result?.content?.[0]?.text ?? body?.error?.message ?? body?.message;
  return { refusal: said ?? `the server answered with HTTP ${answer.status}` };
}

async function post(signIn: SignIn, fetch: Fetch, project: string | null, token: string): Promise<Response> {
  try {
    return await fetch(`${signIn.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
        authorization: `Bearer ${token}`,
        ...(project === null ? {} : { 'loupe-project-id': project }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'project_current', arguments: {} },
      }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
  } catch (error) {
    throw unreachable(signIn.url, reasonOf(error));
  }
}
