import { parseUrl, type Wrong } from './parse-url.js';

/** A model endpoint. */
export interface ModelSettings {
  readonly api: 'openai' | 'anthropic';
  /** Without trailing slash; the paths of the API follow it. */
  readonly baseUrl: string;
  readonly name: string;
  /** Null for an endpoint that asks for none. */
  readonly key: string | null;
}

/** An origin for foreign pages: never this instance's own. `{label}` may stand as the first part of its host. */
export function parseOrigin(
  name: string,
  given: string | null,
  defaultUri: string,
  wrong: Wrong,
): string | null {
  if (given === null) return null;
  const url = URL.parse(given.replace('{label}', 'label'));
  const labelled = /^https?:\/\/\{label\}\./.test(given);
  if (!url || !/^https?:$/.test(url.protocol) || (given.includes('{') && !labelled)) {
    wrong(name, `"${given}" is not an origin such as https://{label}.preview.example.net.`);
  } else if (url.pathname !== '/' || url.search || url.hash || url.username) {
    wrong(name, `"${given}" must have no path, query, fragment or user name.`);
  } else if (url.origin === defaultUri) {
    wrong(name, `"${given}" must be another origin than DEFAULT_URI.`);
  } else if (defaultUri.startsWith('https:') && url.protocol === 'http:') {
    wrong(name, `"${given}" must be https like DEFAULT_URI.`);
  } else {
    return labelled ? url.origin.replace('//label.', '//{label}.') : url.origin;
  }
  return null;
}

/** Published apps of one origin could read each other, so it must hold `{label}`. */
export function parseLiveOrigin(given: string | null, defaultUri: string, wrong: Wrong): string | null {
  if (given === null || given.includes('{label}'))
    return parseOrigin('ARTIFACT_LIVE_ORIGIN', given, defaultUri, wrong);
  wrong(
    'ARTIFACT_LIVE_ORIGIN',
    `"${given}" must name a host per app, such as https://{label}.apps.example.com.`,
  );
  return null;
}

/** Pairs of host and port, in lower case. */
export function parsePairs(name: string, entries: readonly string[], wrong: Wrong): string[] {
  for (const entry of entries) {
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/i.test(entry)) {
      wrong(name, `"${entry}" is not of the form host:port.`);
    }
  }
  return entries.map((entry) => entry.toLowerCase());
}

/** An address without slashes at its end, so that paths can follow. */
export function baseUrl(name: string, given: string | null, wrong: Wrong): string | null {
  return parseUrl(name, given, ['http:', 'https:'], wrong)?.replace(/\/+$/, '') ?? null;
}

/** The model endpoint, or null when none is named. Address and name come together or not at all. */
export function parseModel(
  text: (name: string) => string | null,
  choice: <T extends string>(name: string, fallback: T, values: readonly T[]) => T,
  wrong: Wrong,
): ModelSettings | null {
  const api = choice('ARTIFACT_MODEL_API', 'openai', ['openai', 'anthropic'] as const);
  const base = baseUrl('ARTIFACT_MODEL_BASE_URL', text('ARTIFACT_MODEL_BASE_URL'), wrong);
  const name = text('ARTIFACT_MODEL_NAME');
  if ((text('ARTIFACT_MODEL_BASE_URL') === null) !== (name === null)) {
    wrong(
      name === null ? 'ARTIFACT_MODEL_NAME' : 'ARTIFACT_MODEL_BASE_URL',
      'must be set together with its partner, or neither.',
    );
  }
  return base === null || name === null
    ? null
    : { api, baseUrl: base, name, key: text('ARTIFACT_MODEL_KEY') };
}
