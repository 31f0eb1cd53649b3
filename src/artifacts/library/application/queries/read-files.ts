import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { Snapshots } from '../snapshots.js';
import { notesOf } from './explore-tree.js';
import { noneOfAsset } from './search-files.js';

const PATHS_MAX = 10;
const FILE_BYTES = 100_000;
const CALL_BYTES = 200_000;
const SUGGESTIONS = 5;

export interface ReadFilesInput extends NamedArtifact {
  readonly projectId: string;
  readonly paths?: readonly string[] | null;
  /** `from,to`, 1-based, both included; for one path. */
  readonly range?: string | null;
  readonly revision?: string | null;
}

export interface ReadText {
  readonly path: string;
  readonly content?: string;
  readonly bytes?: number;
  readonly lines?: number;
  readonly eol?: 'lf' | 'crlf' | 'mixed' | 'none';
  /** The content ends before the file does. */
  readonly truncated?: true;
  /** The answer is full; ask for this file alone. */
  readonly deferred?: true;
  readonly binary?: true;
  /** An image. */
  readonly asset?: true;
  readonly size?: number;
  readonly mime?: string;
  readonly oid?: string;
}

export interface ReadFilesAnswer {
  readonly success: true;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly revision: string | null;
  readonly version: number | null;
  /** The revision that these contents are of: the base of an edit. */
  readonly readAt: string | null;
  readonly files: readonly ReadText[];
  readonly missingPaths: readonly string[];
  /** Paths that resemble the missing ones. */
  readonly suggestions: readonly string[];
  readonly notes?: readonly string[];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Whole files or lines of one, for an agent that is about to edit (`artifacts.md` 7.4 `read`). */
@Injectable()
export class ReadFiles {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly snapshots: Snapshots,
    private readonly blobs: ArtifactBlobs,
  ) {}

  async execute(actor: Actor, input: ReadFilesInput): Promise<ReadFilesAnswer> {
    const artifactId = artifactIdOf(input);
    const problems = new Problems();
    const paths = [...new Set(input.paths ?? [])];
    if (paths.length < 1 || paths.length > PATHS_MAX)
      problems.add('paths', `must hold 1 to ${PATHS_MAX} paths`);
    const range = readRange(problems, input.range ?? null, paths.length);
    problems.throwIfAny();
    const artifact = await this.directory.require(actor, artifactId, 'read', input.projectId);
    if (artifact.artifactType === 'asset') throw noneOfAsset('read');
    const snapshot = await this.snapshots.find(artifact, input.revision);
    const byPath = new Map(snapshot.files.map((file) => [file.path, file]));
    const files: ReadText[] = [];
    const missingPaths: string[] = [];
    let left = CALL_BYTES;
    for (const path of paths) {
      const file = byPath.get(path);
      if (!file) {
        missingPaths.push(path);
        continue;
      }
      const read = await this.read(file, range, left);
      left -= Buffer.byteLength(read.content ?? '');
      files.push(read);
    }
    return {
      success: true,
      artifactId,
      sessionId: artifactId,
      revision: snapshot.revision,
      version: snapshot.version,
      readAt: snapshot.revision,
      files,
      missingPaths,
      suggestions: suggestionsFor(missingPaths, [...byPath.keys()]),
      ...notesOf(artifact.origin),
    };
  }

  private async read(file: ManifestFile, range: Range | null, left: number): Promise<ReadText> {
    const { path, bytes, contentType: mime, sha256: oid } = file;
    if (file.kind !== 'text') {
      return {
        path,
        binary: true,
        ...(file.kind === 'image' ? { asset: true } : {}),
        size: bytes,
        mime,
        oid,
      };
    }
    if (left <= 0 || (left < CALL_BYTES && range === null && Math.min(bytes, FILE_BYTES) > left)) {
      return { path, bytes, deferred: true };
    }
    const whole = (await this.blobs.read(oid, bytes)).toString();
    const all = whole.split('\n');
    const lines = whole === '' ? 0 : whole.endsWith('\n') ? all.length - 1 : all.length;
    if (range && range.from > Math.max(lines, 1)) {
      throw new DomainError('invalid', 'invalid', `range begins after the end: ${path} has ${lines} lines.`, {
        argument: 'range',
      });
    }
    const wanted = range ? all.slice(range.from - 1, range.to).join('\n') : whole;
    const content = cut(wanted, Math.min(FILE_BYTES, left));
    const truncated = content.length < wanted.length;
    return { path, content, bytes, lines, eol: eolOf(whole), ...(truncated ? { truncated: true } : {}) };
  }
}

function readRange(problems: Problems, given: string | null, paths: number): Range | null {
  if (given === null) return null;
  const match = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(given);
  const from = Number(match?.[1]);
  const to = Number(match?.[2]);
  if (!match || from < 1 || to < from) {
    problems.add('range', 'must be "from,to" in lines from 1, such as "20,60"');
    return null;
  }
  if (paths !== 1) problems.add('range', 'goes with one path only');
  return { from, to };
}

function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Which line breaks a text has. */
export function eolOf(text: string): 'lf' | 'crlf' | 'mixed' | 'none' {
  const all = text.split('\n').length - 1;
  if (all === 0) return 'none';
  const crlf = text.split('\r\n').length - 1;
  return crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed';
}

/** Paths whose name, or whose path without regard to case, is that of a missing one. */
function suggestionsFor(missing: readonly string[], paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const wanted of missing) {
    const name = wanted.slice(wanted.lastIndexOf('/') + 1).toLowerCase();
    const stem = name.replace(/\.[^.]*$/, '');
    for (const path of paths) {
      const other = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
      if (other === name || (stem.length > 2 && other.startsWith(stem))) found.add(path);
    }
  }
  return [...found].slice(0, SUGGESTIONS);
}
