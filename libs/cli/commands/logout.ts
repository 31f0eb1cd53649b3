import type { StoredLogin } from '../core/config-store.js';
import type { CommandContext } from '../core/context.js';
import { notSignedIn } from '../core/failure.js';

const REVOKE_LIMIT_MS = 10_000;

/** `loupe logout [--all]`: revokes and forgets the sign-in; the identity of the machine's bridge stays. */
export async function logout(context: CommandContext, options: { readonly all?: boolean }): Promise<void> {
  const { instances } = context.store.read();
  const { url } = context;
  const urls = options.all ? Object.keys(instances) : url !== null && url in instances ? [url] : [];
  if (urls.length === 0 && !options.all) throw notSignedIn(url ?? 'any Loupe');
  await Promise.all(urls.map((each) => revoke(context, each, instances[each]!)));
  if (urls.length > 0) await context.store.removeLogins(urls);
  context.terminal.report({ signedOut: urls });
  if (urls.length === 0) context.terminal.result('Nobody was signed in.');
  for (const each of urls) context.terminal.result(`Signed out of ${each}.`);
}

/** As well as it goes: a server that is away cannot keep anybody signed in here. */
async function revoke(context: CommandContext, url: string, login: StoredLogin): Promise<void> {
  try {
    const answer = await context.fetch(`${url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: login.clientId,
        token: login.refreshToken,
        token_type_hint: 'refresh_token',
      }),
      signal: AbortSignal.timeout(REVOKE_LIMIT_MS),
    });
    if (answer.ok) return;
    context.terminal.note(
      `${url} did not revoke the sign-in (HTTP ${answer.status}). End it on its page "Connected apps".`,
    );
  } catch {
    context.terminal.note(`${url} could not be reached. End the sign-in on its page "Connected apps".`);
  }
}
