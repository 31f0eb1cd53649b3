import { codePoints } from '#libs/kernel/text.js';
import { redirectProblem } from './redirect-address.js';

/** What is used of a Client ID Metadata Document. */
export interface ClientDocument {
  readonly clientId: string;
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
}

/** How a document was refused; the sentence ends "…could not be used: it <problem>". */
export class ClientDocumentProblem extends Error {
  override readonly name = 'ClientDocumentProblem';
}

const CLIENT_ID_MAX = 2048;
const NAME_MAX = 100;
const REDIRECTS_MAX = 10;
const HTTPS_MEMBERS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'];

/** Why a text cannot be the address of a metadata document (`identity.md` 5.5), or null. */
export function clientIdProblem(clientId: string): string | null {
  const wrong = 'The client id must be';
  if (clientId.length > CLIENT_ID_MAX) return `${wrong} at most ${CLIENT_ID_MAX} characters long.`;
  const parts = /^https:\/\/([^/?#\\\s@]*)(\/[^?#\\\s\p{Cc}]*)$/u.exec(clientId);
  if (!parts) {
    return `${wrong} an https address with a path, without user name, query, fragment, space or backslash.`;
  }
  const [, host, path] = parts;
  if (host!.includes(':')) return `${wrong} an address without a port and not an IP address.`;
  if (!/^(?=.{1,253}$)([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(host!)) {
    return `${wrong} an address with a public host name.`;
  }
  if (/(^|\.)localhost$/i.test(host!)) return `${wrong} an address with a public host name.`;
  if (path === '/') return `${wrong} an address with a path that is more than a slash.`;
  if (path!.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    return `${wrong} an address without dot segments.`;
  }
  return null;
}

/**
 * Reads a document as it came from its address.
 * @throws ClientDocumentProblem that says which rule it breaks.
 */
export function readClientDocument(clientId: string, document: unknown): ClientDocument {
  const refuse = (problem: string): never => {
    throw new ClientDocumentProblem(problem);
  };
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return refuse('is not a JSON object');
  }
  const members = document as Record<string, unknown>;
  if (members.client_id !== clientId) refuse('names another client_id than its own address');
  if (members.client_secret !== undefined) refuse('holds a client_secret');
  const method = members.token_endpoint_auth_method;
  if (method !== undefined && method !== 'none') {
    refuse('asks for a token_endpoint_auth_method other than none');
  }
  const name = typeof members.client_name === 'string' ? oneLine(members.client_name) : '';
  if (name === '' || codePoints(name) > NAME_MAX)
    refuse(`needs a client_name of 1 to ${NAME_MAX} characters`);
  const redirects = members.redirect_uris;
  if (!Array.isArray(redirects) || redirects.length < 1 || redirects.length > REDIRECTS_MAX) {
    return refuse(`needs 1 to ${REDIRECTS_MAX} redirect_uris`);
  }
  for (const redirect of redirects) {
    const problem = redirectProblem(redirect);
    if (problem) refuse(problem);
  }
  for (const member of HTTPS_MEMBERS) {
    const value = members[member];
    if (value !== undefined && (typeof value !== 'string' || URL.parse(value)?.protocol !== 'https:')) {
      refuse(`holds a ${member} that is not https`);
    }
  }
  const uri =
    typeof members.client_uri === 'string' && members.client_uri.length <= 200 ? members.client_uri : null;
  return { clientId, name, uri, redirectUris: redirects as string[] };
}

/** Names are shown on one line; what could change the direction or the line of other text is taken out. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
