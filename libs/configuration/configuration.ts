import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  baseUrl,
  type ModelSettings,
  parseLiveOrigin,
  parseModel,
  parseOrigin,
  parsePairs,
} from './artifact-values.js';
import { type BlobBucketSettings, parseBlobBucket } from './blob-bucket.js';
import { type CompanySignInValues, parseCompanySignIn } from './company-sign-in-values.js';
import { isLoopbackHost } from './loopback.js';
import { type MailerValues, parseMailer } from './mailer-values.js';
import { parseUrl, type Wrong } from './parse-url.js';

export type Profile = 'local' | 'prod' | 'test';
export type ProcessRole = 'web' | 'worker' | 'all';

/** The environment as the product uses it: parsed, checked, with defaults filled in (`platform.md` 15). */
export interface ConfigurationValues {
  readonly profile: Profile;
  readonly role: ProcessRole;
  readonly varDir: string;
  readonly host: string;
  readonly port: number;
  /** Where a process of role `worker` answers probes; without a port it listens nowhere. */
  readonly workerHost: string;
  readonly workerPort: number | null;
  /** Absolute URL without trailing slash; the issuer and the base of every address that Loupe writes. */
  readonly defaultUri: string;
  /** Host names, lower case, that may reach `/mcp`. */
  readonly mcpAllowedHosts: readonly string[];
  /** Null means the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  readonly databaseDirectUrl: string | null;
  readonly databasePool: number;
  readonly redisUrl: string | null;
  /** Null in `local` and `test` until `secrets.json` is read or made. */
  readonly appSecret: string | null;
  readonly appSecretPrevious: string | null;
  /** Base64 of 32 bytes. */
  readonly encryptionKey: string | null;
  readonly encryptionKeysOld: readonly string[];
  readonly installToken: string | null;
  readonly firstAdmin: { readonly email: string; readonly password: string } | null;
  readonly trustedProxies: readonly string[];
  readonly outboundProxy: string | null;
  /**
   * With `APP_ENV=test` alone: host names of the outside world that lead to a server of the test suite on this machine,
   * from `LOUPE_TEST_HOST_MAP=client.example=http://127.0.0.1:4141,…`. Empty in every other profile.
   */
  readonly testHostMap: Readonly<Record<string, string>>;
  /** Null means that mail is off. */
  readonly mailer: MailerValues | null;
  /** Null means that people sign in by password alone. */
  readonly companySignIn: CompanySignInValues | null;
  readonly oauthTrustedClientIds: readonly string[];
  /** Seconds, 0 to 600. */
  readonly oauthRefreshGraceSeconds: number;
  readonly blobStorage: 'local' | 's3';
  /** Null with the driver `local`. */
  readonly blobBucket: BlobBucketSettings | null;
  readonly blobStorageDir: string;
  readonly healthProbeToken: string | null;
  readonly metricsToken: string | null;
  readonly logLevel: string;
  /** Where the source of this release can be had; empty shows no link to it. */
  readonly sourceUrl: string;
  /** Threads for work that must leave the event loop free. */
  readonly renderThreads: number;
  /** Folder of further workflow templates, or null. */
  readonly workflowTemplateDir: string | null;
  /** `host:port` pairs that page imports may fetch though they are not public. */
  readonly artifactFetchAllow: readonly string[];
  /** A Chromium that renders pages for imports, or null. */
  readonly artifactBrowserPath: string | null;
  /** Where prompts are turned into files; null when none is configured. */
  readonly artifactModel: ModelSettings | null;
  /** Base of the Figma API without trailing slash. */
  readonly figmaApiBase: string;
  /** Folder of the git repositories of artifacts; every process of the product must see it. */
  readonly artifactGitRoot: string;
  /** Origin of previews, perhaps with `{label}` as its first part; null for a path of this instance. */
  readonly artifactPreviewOrigin: string | null;
  /** Origin of published apps with `{label}` as its first part; null for a path of this instance. */
  readonly artifactLiveOrigin: string | null;
}

/** One wrong variable. */
export interface ConfigurationProblem {
  readonly variable: string;
  readonly sentence: string;
}

/** Thrown at start with every wrong variable at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly ConfigurationProblem[]) {
    super(
      `The environment is not usable:\n${problems.map((p) => `  ${p.variable}: ${p.sentence}`).join('\n')}`,
    );
  }
}

const DEFAULT_TRUSTED_CLIENT = 'https://claude.ai/oauth/claude-code-client-metadata';
const PRIVATE_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Injectable holder of the parsed environment. */
export class Configuration {
  constructor(readonly values: ConfigurationValues) {}

  /** @throws ConfigurationError that names every wrong variable. */
  static fromEnvironment(env: NodeJS.ProcessEnv): Configuration {
    return new Configuration(parse(env));
  }

  /** The same with the address of the embedded database filled in. */
  withDatabase(url: string): Configuration {
    return new Configuration({ ...this.values, databaseUrl: url, databaseDirectUrl: url });
  }

  /** An address of this instance: `url('/mcp')`. */
  url(path: string): string {
    return `${this.values.defaultUri}${path}`;
  }

  get isHttps(): boolean {
    return this.values.defaultUri.startsWith('https:');
  }
}

function parse(env: NodeJS.ProcessEnv): ConfigurationValues {
  const problems: ConfigurationProblem[] = [];
  const wrong = (variable: string, sentence: string): void => {
    problems.push({ variable, sentence });
  };
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value ? value : null;
  };
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max) {
      wrong(name, `"${value}" is not a whole number from ${min} to ${max}.`);
      return fallback;
    }
    return number;
  };
  const choice = <T extends string>(name: string, fallback: T, values: readonly T[]): T => {
    const value = text(name);
    if (value === null) return fallback;
    if (!(values as readonly string[]).includes(value)) {
      wrong(name, `"${value}" is not one of ${values.join(', ')}.`);
      return fallback;
    }
    return value as T;
  };
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);

  const profile = choice<Profile>('APP_ENV', 'local', ['local', 'prod', 'test']);
  const prod = profile === 'prod';
  const required = (name: string): string | null => {
    const value = text(name);
    if (value === null && prod) wrong(name, 'is required with APP_ENV=prod.');
    return value;
  };

  const port = whole('PORT', 3000, 0, 65_535);
  const host = text('HOST') ?? (prod ? '0.0.0.0' : '127.0.0.1');
  const workerHost = text('WORKER_HOST') ?? '127.0.0.1';
  for (const [variable, address] of Object.entries({ HOST: host, WORKER_HOST: workerHost })) {
    if (!prod && !isLoopbackHost(address)) {
      wrong(variable, `"${address}" is not a loopback address. To listen on others, set APP_ENV=prod.`);
    }
  }

  const defaultUri = parseDefaultUri(required('DEFAULT_URI'), port, prod, wrong);
  const varDir = resolve(text('LOUPE_VAR_DIR') ?? 'var');

  const appSecret = required('APP_SECRET');
  if (appSecret !== null && appSecret.length < 32) wrong('APP_SECRET', 'must have at least 32 characters.');
  const encryptionKey = required('APP_ENCRYPTION_KEY');
  if (encryptionKey !== null && !isKey(encryptionKey))
    wrong('APP_ENCRYPTION_KEY', 'must be base64 of 32 bytes.');
  const encryptionKeysOld = list('APP_ENCRYPTION_KEYS_OLD');
  if (encryptionKeysOld.some((key) => !isKey(key))) {
    wrong('APP_ENCRYPTION_KEYS_OLD', 'each entry must be base64 of 32 bytes.');
  }

  const databaseUrl = parseUrl('DATABASE_URL', text('DATABASE_URL'), ['postgres:', 'postgresql:'], wrong);
  const role = choice<ProcessRole>('LOUPE_ROLE', 'all', ['web', 'worker', 'all']);

  const adminEmail = text('LOUPE_ADMIN_EMAIL');
  const adminPassword = env.LOUPE_ADMIN_PASSWORD || null;
  if ((adminEmail === null) !== (adminPassword === null)) {
    wrong(
      adminEmail === null ? 'LOUPE_ADMIN_EMAIL' : 'LOUPE_ADMIN_PASSWORD',
      'must be set together with its partner, or neither.',
    );
  }

  const trusted = list('OAUTH_TRUSTED_CLIENT_IDS');
  for (const entry of trusted) {
    if (!/^https:\/\/[^\s/]+(\/\S*)?$/.test(entry)) {
      wrong('OAUTH_TRUSTED_CLIENT_IDS', `"${entry}" is neither a client id nor an https origin.`);
    }
  }

  const proxies = list('TRUSTED_PROXIES');
  for (const entry of proxies) {
    const [address] = entry.split('/');
    if (!PRIVATE_RANGES.includes(entry) && isIP(address ?? '') === 0) {
      wrong('TRUSTED_PROXIES', `"${entry}" is neither an address nor a CIDR range.`);
    }
  }

  const blobStorage = choice('BLOB_STORAGE', 'local', ['local', 's3'] as const);

  const values: ConfigurationValues = {
    profile,
    role,
    varDir,
    host,
    port,
    workerHost,
    workerPort: text('WORKER_PORT') === null ? null : whole('WORKER_PORT', 0, 1, 65_535),
    defaultUri,
    mcpAllowedHosts: parseAllowedHosts(text('MCP_ALLOWED_HOSTS'), defaultUri, prod, wrong),
    databaseUrl,
    databaseDirectUrl:
      parseUrl('DATABASE_DIRECT_URL', text('DATABASE_DIRECT_URL'), ['postgres:', 'postgresql:'], wrong) ??
      databaseUrl,
    databasePool: whole('DATABASE_POOL', 20, 2, 500),
    redisUrl: parseUrl('REDIS_URL', text('REDIS_URL'), ['redis:', 'rediss:'], wrong),
    appSecret,
    appSecretPrevious: text('APP_SECRET_PREVIOUS'),
    encryptionKey,
    encryptionKeysOld,
    installToken: text('INSTALL_TOKEN'),
    firstAdmin: adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : null,
    trustedProxies: proxies.length > 0 ? proxies : PRIVATE_RANGES,
    outboundProxy: parseUrl('OUTBOUND_PROXY', text('OUTBOUND_PROXY'), ['http:', 'https:'], wrong),
    testHostMap: profile === 'test' ? parseHostMap(list('LOUPE_TEST_HOST_MAP'), wrong) : {},
    mailer: parseMailer(text, wrong),
    companySignIn: parseCompanySignIn(text, list, choice('OIDC_PASSWORD_LOGIN', 'on', ['on', 'off']), wrong),
    oauthTrustedClientIds: trusted.length > 0 ? trusted : [DEFAULT_TRUSTED_CLIENT],
    oauthRefreshGraceSeconds: whole('OAUTH_REFRESH_GRACE_SECONDS', 120, 0, 600),
    blobStorage,
    blobBucket: blobStorage === 's3' ? parseBlobBucket(text, choice, wrong) : null,
    blobStorageDir: resolve(text('BLOB_STORAGE_DIR') ?? `${varDir}/blobs`),
    healthProbeToken: text('HEALTH_PROBE_TOKEN'),
    metricsToken: text('METRICS_TOKEN'),
    logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS),
    sourceUrl: parseUrl('APP_SOURCE_URL', text('APP_SOURCE_URL'), ['https:', 'http:'], wrong) ?? '',
    renderThreads: Math.max(1, Math.min(2, availableParallelism() - 1)),
    workflowTemplateDir: pathOf(text('WORKFLOW_TEMPLATE_DIR')),
    artifactFetchAllow: parsePairs('ARTIFACT_FETCH_ALLOW', list('ARTIFACT_FETCH_ALLOW'), wrong),
    artifactBrowserPath: pathOf(text('ARTIFACT_BROWSER_PATH')),
    artifactModel: parseModel(text, choice, wrong),
    figmaApiBase: baseUrl('FIGMA_API_BASE', text('FIGMA_API_BASE'), wrong) ?? 'https://api.figma.com',
    artifactGitRoot: resolve(text('ARTIFACT_GIT_ROOT') ?? `${varDir}/git`),
    artifactPreviewOrigin: parseOrigin(
      'ARTIFACT_PREVIEW_ORIGIN',
      text('ARTIFACT_PREVIEW_ORIGIN'),
      defaultUri,
      wrong,
    ),
    artifactLiveOrigin: parseLiveOrigin(text('ARTIFACT_LIVE_ORIGIN'), defaultUri, wrong),
  };
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values;
}

function pathOf(given: string | null): string | null {
  return given === null ? null : resolve(given);
}

function parseDefaultUri(given: string | null, port: number, prod: boolean, wrong: Wrong): string {
  const fallback = `http://localhost:${port}`;
  if (given === null) return fallback;
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    wrong('DEFAULT_URI', `"${given}" is not an absolute URL such as https://loupe.example.com.`);
    return fallback;
  }
  if (!['http:', 'https:'].includes(url.protocol)) {
    wrong('DEFAULT_URI', `"${given}" must begin with https:// or http://.`);
  } else if (url.pathname !== '/' || url.search || url.hash || url.username) {
    wrong('DEFAULT_URI', `"${given}" must have no path, query, fragment or user name.`);
  } else if (prod && url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    wrong('DEFAULT_URI', `"${given}" must be https with APP_ENV=prod (http only for a loopback host).`);
  }
  return url.origin;
}

function parseAllowedHosts(given: string | null, defaultUri: string, prod: boolean, wrong: Wrong): string[] {
  if (given === null) {
    const own = new URL(defaultUri).hostname;
    return [...new Set(prod ? [own] : [own, 'localhost', '127.0.0.1', '[::1]'])];
  }
  const hosts = given
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/.test(host)) {
      wrong('MCP_ALLOWED_HOSTS', `"${host}" must be a host name alone: no scheme, port, path or *.`);
    }
  }
  return hosts;
}

function parseHostMap(entries: readonly string[], wrong: Wrong): Record<string, string> {
  const map: Record<string, string> = {};
  for (const entry of entries) {
    const [host, target] = entry.split('=', 2);
    const url = URL.parse(target ?? '');
    if (!host || url?.protocol !== 'http:' || !isLoopbackHost(url.hostname)) {
      wrong('LOUPE_TEST_HOST_MAP', `"${entry}" is not of the form host=http://127.0.0.1:port.`);
      continue;
    }
    map[host] = url.origin;
  }
  return map;
}

function isKey(value: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(value) && Buffer.from(value, 'base64').length === 32;
}
