import { hostname } from 'node:os';
import { type Account, accountOf } from '../core/account.js';
import type { CommandContext } from '../core/context.js';
import { CLIENT_ID, pollForTokens, startDeviceFlow } from '../core/device-flow.js';
import { loginRefused, reasonOf, wrongUse } from '../core/failure.js';
import { loginFrom, unreachable } from '../core/sign-in.js';

/** `loupe login`: signs this machine in by a code that a person confirms in a browser (`cli.md` 4). */
export async function login(context: CommandContext): Promise<void> {
  const { terminal, url } = context;
  if (url === null) throw wrongUse('no Loupe is named', 'run `loupe login --url https://loupe.example.com`');
  const code = await startDeviceFlow(context.fetch, url, deviceName());
  const { verificationUri, verificationUriComplete, userCode, expiresIn } = code;
  terminal.report({ verificationUri, verificationUriComplete, userCode, expiresIn });
  terminal.say(`Open ${verificationUriComplete}`);
  terminal.say(`and allow the code ${userCode}. It ends in ${Math.round(expiresIn / 60)} minutes.`);
  terminal.say('The sign-in serves every project that you own or are a member of, later ones too.');

  const tokens = await pollForTokens(context.fetch, url, code);
  const account = await checked(context, url, tokens.access_token);
  const { id, displayName: name } = account.person;
  const known = { clientId: CLIENT_ID, scope: '', account: { id, name } };
  await context.store.putLogin(url, loginFrom(tokens, known, Date.now()));
  const count = account.projects.length;
  const line = `Signed in to ${url} as ${name} (${count} ${count === 1 ? 'project' : 'projects'}).`;
  if (terminal.choices.json) terminal.note(line);
  else terminal.result(line);
}

/** The server must know the token before the old sign-in is replaced. */
async function checked(context: CommandContext, url: string, token: string): Promise<Account> {
  let answer: Response;
  try {
    answer = await context.fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  } catch (error) {
    throw unreachable(url, reasonOf(error));
  }
  if (answer.status >= 500) throw unreachable(url, `HTTP ${answer.status}`);
  if (!answer.ok) throw loginRefused(`${url} refused the new sign-in (HTTP ${answer.status})`);
  return accountOf(await answer.json().catch(() => null), url);
}

function deviceName(): string {
  return hostname().split('.')[0]!.slice(0, 100) || 'machine';
}
