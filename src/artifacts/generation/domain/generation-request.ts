import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { Problems } from '#libs/kernel/errors.js';
import { codePoints, normaliseLineBreaks } from '#libs/kernel/text.js';

/** Where the files come from: a prompt, a web page, frames of a Figma file. */
export type GenerationType = 'p2c' | 'l2c' | 'f2c';
export type GeneratedType = 'app' | 'markdown';
export type GeneratedFramework = 'html' | 'react';
export type Language = 'typescript' | 'javascript';

/** A checked request with its defaults filled in; what a type has no use for is null or empty. */
export interface GenerationRequest {
  readonly type: GenerationType;
  readonly artifactType: GeneratedType;
  readonly prompt: string | null;
  readonly guidelines: string | null;
  readonly url: string | null;
  readonly fileKey: string | null;
  readonly nodesId: readonly string[];
  /** Null for Markdown. */
  readonly framework: GeneratedFramework | null;
  readonly styling: string | null;
  readonly language: Language | null;
  readonly uiLibrary: string | null;
}

/** Arguments as a caller gave them; null counts as absent. */
export type GivenGeneration = { readonly [name in ArgumentName]?: unknown } & {
  readonly type: GenerationType;
};

type ArgumentName =
  | 'artifactType'
  | 'prompt'
  | 'guidelines'
  | 'url'
  | 'fileKey'
  | 'nodesId'
  | 'framework'
  | 'styling'
  | 'language'
  | 'uiLibrary'
  | 'files'
  | 'zipUploadId';

export const MAX_PROMPT = 20_000;
export const MAX_URL = 2_048;
export const MAX_NODES = 20;

/** The types of `artifact_create` that an argument belongs to. */
const BELONGS_TO: readonly (readonly [ArgumentName, readonly string[]])[] = [
  ['files', ['import']],
  ['zipUploadId', ['import']],
  ['prompt', ['p2c']],
  ['guidelines', ['p2c']],
  ['url', ['l2c']],
  ['fileKey', ['f2c']],
  ['nodesId', ['f2c']],
  ['uiLibrary', ['l2c', 'f2c']],
];

const STYLINGS: Readonly<Record<GenerationType, readonly string[]>> = {
  p2c: ['tailwind', 'css', 'inline_styles'],
  l2c: ['tailwind', 'inline_styles', 'vanilla_css'],
  f2c: ['tailwind', 'plain_css', 'css_modules', 'inline_styles'],
};

const UI_LIBRARIES: Readonly<Record<GenerationType, readonly string[]>> = {
  p2c: [],
  l2c: ['shadcn'],
  f2c: ['mui', 'antd', 'shadcn', 'clean_react'],
};

/**
 * Checks the arguments of a generation type and fills in the defaults (`artifacts.md` 7.1).
 * @throws InvalidInput that names every wrong argument.
 */
export function readGenerationRequest(given: GivenGeneration): GenerationRequest {
  const problems = new Problems();
  const { type } = given;
  const has = (name: ArgumentName): boolean => given[name] !== undefined && given[name] !== null;
  for (const [name, types] of BELONGS_TO) {
    if (has(name) && !types.includes(type)) {
      problems.add(name, `${name} is only valid for type ${types.join(' or ')}.`);
    }
  }
  const artifactType = readArtifactType(problems, given, has('artifactType'));
  const isApp = artifactType === 'app';
  if (!isApp && has('framework')) {
    problems.add('framework', 'framework does not apply to artifactType markdown.');
  }
  const framework = isApp ? oneOf(problems, 'framework', given.framework, ['html', 'react'], 'html') : null;
  const isReact = framework === 'react';
  const request: GenerationRequest = {
    type,
    artifactType,
    prompt: type === 'p2c' ? text(problems, 'prompt', given.prompt, MAX_PROMPT, type) : null,
    guidelines:
      type === 'p2c' && has('guidelines') ? text(problems, 'guidelines', given.guidelines, MAX_PROMPT) : null,
    url: type === 'l2c' ? readUrl(problems, given.url) : null,
    fileKey: type === 'f2c' ? readFileKey(problems, given.fileKey) : null,
    nodesId: type === 'f2c' ? readNodes(problems, given.nodesId) : [],
    framework: framework as GeneratedFramework | null,
    styling: isApp ? readStyling(problems, type, given.styling, isReact) : null,
    language: isReact ? readLanguage(problems, type, given.language) : null,
    uiLibrary: has('uiLibrary') ? readUiLibrary(problems, type, given.uiLibrary, isReact) : null,
  };
  problems.throwIfAny();
  return request;
}

/** SHA-256 in hex that is equal for equal requests in one workspace of one project. */
export function identityOf(projectId: string, workspaceId: string, request: GenerationRequest): string {
  return hashOfArguments({ projectId, workspaceId, ...request, nodesId: [...request.nodesId].sort() });
}

function readArtifactType(problems: Problems, given: GivenGeneration, has: boolean): GeneratedType {
  const allowed = given.type === 'p2c' ? ['app', 'markdown'] : ['app'];
  if (has && !allowed.includes(given.artifactType as string)) {
    problems.add('artifactType', `artifactType must be ${allowed.join(' or ')} for type ${given.type}.`);
    return 'app';
  }
  return has ? (given.artifactType as GeneratedType) : 'app';
}

function oneOf(
  problems: Problems,
  name: string,
  value: unknown,
  allowed: readonly string[],
  fallback: string,
): string {
  if (value === undefined || value === null) return fallback;
  if (!allowed.includes(value as string)) problems.add(name, `${name} must be ${listed(allowed)}.`);
  return value as string;
}

function text(
  problems: Problems,
  name: string,
  value: unknown,
  max: number,
  requiredFor?: GenerationType,
): string | null {
  const found = typeof value === 'string' ? normaliseLineBreaks(value).trim() : '';
  if (found === '') {
    if (requiredFor) problems.add(name, `${name} is required for type ${requiredFor}.`);
    return null;
  }
  if (codePoints(found) > max) problems.add(name, `${name} must be at most ${max} characters.`);
  if (found.includes('\0') || /\p{Surrogate}/u.test(found))
    problems.add(name, `${name} must be valid text without NUL characters.`);
  return found;
}

function readUrl(problems: Problems, value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') {
    problems.add('url', 'url is required for type l2c.');
    return null;
  }
  const given = value.trim();
  if (given.length > MAX_URL) {
    problems.add('url', `url must be at most ${MAX_URL} characters.`);
    return null;
  }
  if (!URL.canParse(given)) {
    problems.add('url', URL_REFUSAL);
    return null;
  }
  const url = new URL(given);
  url.hash = '';
  return url.href;
}

/** The sentence for an address that may not be fetched. */
export const URL_REFUSAL = 'url must be a public http or https address.';

const FIGMA_URL =
  /^https:\/\/(?:[\w-]+\.)?figma\.com\/(?:file|design|proto|board)\/([A-Za-z0-9]+)(?:\/branch\/([A-Za-z0-9]+))?(?:[/?#]|$)/;

function readFileKey(problems: Problems, value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') {
    problems.add('fileKey', 'fileKey is required for type f2c.');
    return null;
  }
  const address = FIGMA_URL.exec(value.trim());
  const key = address ? (address[2] ?? address[1]!) : value.trim();
  if (!/^[A-Za-z0-9]{1,100}$/.test(key)) {
    problems.add('fileKey', 'fileKey must be the key of a Figma file, or its address.');
  }
  return key;
}

function readNodes(problems: Problems, value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    problems.add('nodesId', 'nodesId is required for type f2c: name 1 to 20 nodes such as 12:34.');
    return [];
  }
  if (value.length > MAX_NODES) problems.add('nodesId', `nodesId must have at most ${MAX_NODES} nodes.`);
  const nodes = value.slice(0, MAX_NODES).map((entry, index) => {
    const id = /^(\d{1,12})[:-](\d{1,12})$/.exec(typeof entry === 'string' ? entry.trim() : '');
    if (!id) problems.add(`nodesId[${index}]`, `nodesId[${index}] must be of the form 12:34.`);
    return id ? `${id[1]}:${id[2]}` : '';
  });
  return [...new Set(nodes)];
}

function readStyling(problems: Problems, type: GenerationType, value: unknown, isReact: boolean): string {
  const styling = value ?? 'tailwind';
  if (!STYLINGS[type].includes(styling as string)) {
    problems.add(
      'styling',
      `styling ${String(styling).slice(0, 40)} is not supported for type ${type}; use ${listed(STYLINGS[type])}.`,
    );
  } else if (styling === 'css_modules' && !isReact) {
    problems.add('styling', 'styling css_modules applies only when framework is react.');
  }
  return styling as string;
}

function readLanguage(problems: Problems, type: GenerationType, value: unknown): Language {
  const language = oneOf(problems, 'language', value, ['typescript', 'javascript'], 'typescript');
  return type === 'l2c' ? 'typescript' : (language as Language);
}

function readUiLibrary(
  problems: Problems,
  type: GenerationType,
  value: unknown,
  isReact: boolean,
): string | null {
  const allowed = UI_LIBRARIES[type];
  if (allowed.length === 0) return null;
  if (!isReact) problems.add('uiLibrary', 'uiLibrary applies only when framework is react.');
  else if (!allowed.includes(value as string)) {
    problems.add('uiLibrary', `uiLibrary must be ${listed(allowed)} for type ${type}.`);
  }
  return value as string;
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? values[0]! : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
