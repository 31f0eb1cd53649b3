import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { cleanText } from '#libs/kernel/text.js';
import type { ArtifactType, Framework } from './artifact-types.js';
import { readFilePath } from './file-path.js';
import { unsafePath } from './file-set-policy.js';

export const NAME_MAX = 120;
export const DESCRIPTION_MAX = 1_000;
export const DEFAULT_NAME = 'Untitled project';

const ARTIFACT_TYPES: readonly ArtifactType[] = ['app', 'markdown', 'asset'];
const FRAMEWORKS: readonly Framework[] = ['html', 'react'];

/** Arguments of `artifact_create` as a caller gave them; null counts as absent. */
export interface GivenCreation {
  readonly type?: unknown;
  readonly artifactType?: unknown;
  readonly name?: unknown;
  readonly description?: unknown;
  readonly files?: unknown;
  readonly zipUploadId?: unknown;
  readonly framework?: unknown;
  readonly workspaceId?: unknown;
  readonly prompt?: unknown;
  readonly guidelines?: unknown;
  readonly url?: unknown;
  readonly fileKey?: unknown;
  readonly nodesId?: unknown;
  readonly uiLibrary?: unknown;
  /** Ignored: own code keeps its own styling and language. */
  readonly styling?: unknown;
  readonly language?: unknown;
}

/** A checked request of own code. */
export interface CreationRequest {
  readonly type: 'empty' | 'import';
  readonly artifactType: ArtifactType;
  readonly name: string;
  readonly description: string;
  /** Null where it does not apply, or where the files are to tell. */
  readonly framework: Framework | null;
  readonly workspaceId: string | undefined;
  /** Inline texts by path; null when the files come otherwise. */
  readonly files: ReadonlyMap<string, string> | null;
  readonly zipUploadId: string | null;
}

/** Arguments of other types, with the types that they belong to. */
const FOREIGN: readonly (readonly [keyof GivenCreation, string])[] = [
  ['prompt', 'p2c'],
  ['guidelines', 'p2c'],
  ['url', 'l2c'],
  ['fileKey', 'f2c'],
  ['nodesId', 'f2c'],
  ['uiLibrary', 'l2c or f2c'],
];

/**
 * Checks the arguments of `empty` and `import` (`artifacts.md` 7.1).
 * @throws InvalidInput that names every wrong argument.
 */
export function readCreationRequest(given: GivenCreation): CreationRequest {
  const problems = new Problems();
  const type = readType(given.type);
  const has = (name: keyof GivenCreation): boolean => given[name] !== undefined && given[name] !== null;
  for (const [name, types] of FOREIGN) {
    if (has(name)) problems.add(name, `${name} is only valid for type ${types}.`);
  }
  const artifactType = readArtifactType(problems, given);
  const request: CreationRequest = {
    type,
    artifactType,
    name: readName(problems, given.name),
    description: has('description')
      ? cleanText(problems, 'description', String(given.description), { max: DESCRIPTION_MAX })
      : '',
    framework: readFramework(problems, given, artifactType),
    workspaceId: readWorkspace(problems, given.workspaceId),
    files: has('files') && type === 'import' ? readFiles(problems, given.files) : null,
    zipUploadId:
      has('zipUploadId') && type === 'import' ? String(given.zipUploadId).trim().toLowerCase() : null,
  };
  if (type === 'empty') {
    for (const name of ['files', 'zipUploadId'] as const)
      if (has(name)) problems.add(name, `${name} is only valid for type import.`);
  } else {
    checkSource(problems, artifactType, has('files'), has('zipUploadId'));
  }
  problems.throwIfAny();
  return request;
}

/** Types that are generated are none of own code. @throws InvalidInput: without a type the rest means nothing. */
function readType(given: unknown): 'empty' | 'import' {
  if (given === 'empty' || given === 'import') return given;
  throw new InvalidInput([{ argument: 'type', sentence: 'type must be empty, import, p2c, l2c or f2c.' }]);
}

function readArtifactType(problems: Problems, given: GivenCreation): ArtifactType {
  const value = (given.artifactType ?? 'app') as ArtifactType;
  if (!ARTIFACT_TYPES.includes(value)) {
    problems.add('artifactType', 'artifactType must be app, markdown or asset.');
    return 'app';
  }
  if (value === 'asset' && given.type === 'empty') {
    problems.add('artifactType', 'artifactType asset needs a zipUploadId reserved with purpose "asset".');
  }
  return value;
}

function readName(problems: Problems, given: unknown): string {
  const name = cleanText(problems, 'name', typeof given === 'string' ? given : '', {
    max: NAME_MAX,
    oneLine: true,
  });
  return name === '' ? DEFAULT_NAME : name;
}

function readFramework(problems: Problems, given: GivenCreation, type: ArtifactType): Framework | null {
  const value = given.framework ?? null;
  if (type !== 'app') {
    if (value !== null) problems.add('framework', `framework does not apply to artifactType ${type}.`);
    return null;
  }
  if (value === null) {
    if (given.type === 'empty')
      problems.add('framework', 'framework is required for type empty: html or react.');
    return null;
  }
  if (!FRAMEWORKS.includes(value as Framework)) problems.add('framework', 'framework must be html or react.');
  return value as Framework;
}

function readWorkspace(problems: Problems, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isUuid(given)) {
    problems.add('workspaceId', 'names no workspace of this project. Call workspace_list_workspaces.');
    return undefined;
  }
  return given.toLowerCase();
}

function readFiles(problems: Problems, given: unknown): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.add('files', 'files must be an object of path and text.');
    return files;
  }
  for (const [path, text] of Object.entries(given)) {
    const { problem } = readFilePath(path);
    if (problem !== null) problems.add('files', unsafePath(path, problem).message);
    else if (typeof text !== 'string')
      problems.add('files', `files[${JSON.stringify(path)}] must be a text.`);
    else files.set(path, text);
  }
  if (files.size === 0 && !problems.has('files')) problems.add('files', 'files must hold at least one file.');
  return files;
}

function checkSource(problems: Problems, type: ArtifactType, files: boolean, zip: boolean): void {
  if (type === 'asset') {
    if (files || !zip)
      problems.add(
        files ? 'files' : 'zipUploadId',
        'artifactType asset needs a zipUploadId reserved with purpose "asset".',
      );
  } else if (files === zip) {
    problems.add(
      'files',
      files
        ? 'type import takes files or zipUploadId, not both.'
        : 'type import needs files, or a zipUploadId from artifact_get_zip_upload_url.',
    );
  }
}
