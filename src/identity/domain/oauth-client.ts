import type { Scope } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';

export const CLI_CLIENT_ID = 'loupe-cli';
export const WIDGET_CLIENT_ID = 'loupe-site-review-widget';

/** What an app is, told by its id alone: built in, or identified by the address of its metadata document. */
export type ClientKind = 'cli' | 'widget' | 'url';

/** What is fixed for every client of a kind (`identity.md` 5.2 to 5.4). */
export interface ClientRules {
  /** Scopes that the client may have. */
  readonly scopes: readonly Scope[];
  /** Scopes when the request names none. */
  readonly defaultScopes: readonly Scope[];
  /** Path of its one resource below the address of the instance; empty for the whole instance. */
  readonly resourcePath: '/mcp' | '/api' | '';
}

const RULES: Record<ClientKind, ClientRules> = {
  cli: {
    scopes: ['agent', 'mcp', 'projects'],
    defaultScopes: ['agent', 'mcp', 'projects'],
    resourcePath: '',
  },
  widget: { scopes: ['site-review'], defaultScopes: ['site-review'], resourcePath: '/api' },
  url: { scopes: ['mcp'], defaultScopes: ['mcp'], resourcePath: '/mcp' },
};

/** The two clients of the product have fixed ids; every other id is the address of a metadata document. */
export function clientKindOf(clientId: string): ClientKind {
  if (clientId === CLI_CLIENT_ID) return 'cli';
  return clientId === WIDGET_CLIENT_ID ? 'widget' : 'url';
}

/** What a client of that id may ask for. */
export function rulesOf(clientId: string): ClientRules {
  return RULES[clientKindOf(clientId)];
}

const ID_MAX = 2_048;

/** An id as it may stand in a row: built in, or an https address. @throws InvalidInput. */
export function checkedClientId(value: string): string {
  const fits =
    value.length <= ID_MAX &&
    !/[\p{Cc}\p{Cs}\s]/u.test(value) &&
    (clientKindOf(value) !== 'url' || (value.startsWith('https://') && URL.canParse(value)));
  if (fits) return value;
  throw new InvalidInput([{ argument: 'clientId', sentence: 'must be the id of an app' }]);
}

/** Names of the built-in clients; they come from code, so nobody can delete them. */
export const BUILT_IN_NAMES: Record<Exclude<ClientKind, 'url'>, string> = {
  cli: 'Loupe CLI',
  widget: 'Loupe site-review widget',
};

/** What the consent and account pages say about an app. */
export interface ClientFacts {
  readonly clientId: string;
  readonly kind: ClientKind;
  /** For URL clients the name that the app gives itself. */
  readonly name: string;
  /** Host of the client id; null for built-in clients. */
  readonly host: string | null;
  readonly uri: string | null;
  /** Built in, or on the list of trusted ids. */
  readonly verified: boolean;
  readonly redirectUris: readonly string[];
}

/** Entries are full client ids, or whole origins that serve one tenant; a bare host never matches. */
export function isTrusted(clientId: string, trusted: readonly string[]): boolean {
  const origin = URL.parse(clientId)?.origin;
  return trusted.some((entry) => entry === clientId || entry.replace(/\/$/, '') === origin);
}
