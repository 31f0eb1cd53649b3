import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { FileKind } from '../../domain/artifact-types.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { Snapshots } from '../snapshots.js';
import { COPIED_NOTE } from './read-artifact-file.js';

const DEFAULT_LIMIT = 200;
const MOST = 500;

/** Folders that hold what others made: hidden unless they are asked for. */
const EXCLUDED = /(^|\/)(node_modules|dist|build)(\/|$)/;

export interface ExploreTreeInput extends NamedArtifact {
  readonly projectId: string;
  readonly path?: string | null;
  readonly revision?: string | null;
  readonly includeExcluded?: boolean | null;
  readonly limit?: number | null;
}

export interface ExploredTree {
  readonly success: true;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly revision: string | null;
  readonly version: number | null;
  readonly files: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly kind: FileKind;
    readonly contentType: string;
  }[];
  readonly directories: readonly string[];
  readonly truncated: boolean;
  readonly notes?: readonly string[];
}

/** Whether a path is the prefix itself or lies in the folder of that name; no prefix holds everything. */
export function under(prefix: string | null | undefined, path: string): boolean {
  const folder = (prefix ?? '').replace(/^\.?\//, '').replace(/\/+$/, '');
  return folder === '' || folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** What of the answer says that text came from a website. */
export function notesOf(origin: string): { readonly notes?: readonly string[] } {
  return origin === 'l2c' ? { notes: [COPIED_NOTE] } : {};
}

/** Files and folders of a commit (`artifacts.md` 7.4 `tree`). @throws DomainError `not-found`, `invalid`. */
@Injectable()
export class ExploreTree {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly snapshots: Snapshots,
  ) {}

  async execute(actor: Actor, input: ExploreTreeInput): Promise<ExploredTree> {
    const artifactId = artifactIdOf(input);
    const artifact = await this.directory.require(actor, artifactId, 'read', input.projectId);
    const snapshot = await this.snapshots.find(artifact, input.revision);
    const limit = Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MOST);
    const shown = snapshot.files.filter(
      ({ path }) => under(input.path, path) && (input.includeExcluded === true || !EXCLUDED.test(path)),
    );
    const listed = shown.slice(0, limit);
    return {
      success: true,
      artifactId,
      sessionId: artifactId,
      revision: snapshot.revision,
      version: snapshot.version,
      files: listed.map(({ path, bytes, kind, contentType }) => ({ path, bytes, kind, contentType })),
      directories: foldersOf(listed.map(({ path }) => path)),
      truncated: shown.length > limit,
      ...notesOf(artifact.origin),
    };
  }
}

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  return [...folders].sort();
}
