import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import { codePoints } from '#libs/kernel/text.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { Snapshots } from '../snapshots.js';
import { notesOf, under } from './explore-tree.js';
import { type LineMatcher, lineMatcher } from './line-matcher.js';

const QUERY_MAX = 500;
const DEFAULT_LIMIT = 100;
const MOST = 500;
/** Longer lines, as of minified scripts, are searched up to here. */
const LINE_MAX = 200_000;
const LINE_SHOWN = 300;
const ALL_BYTES = 50 * 1_048_576;
const TIME_MS = 1_500;
const READ_AHEAD = 8;
/** Other requests get their turn after this long. */
const SLICE_MS = 15;

export interface SearchFilesInput extends NamedArtifact {
  readonly projectId: string;
  readonly query?: string | null;
  readonly regex?: boolean | null;
  readonly caseSensitive?: boolean | null;
  readonly path?: string | null;
  readonly revision?: string | null;
  readonly limit?: number | null;
}

export interface FoundLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, cut around the first match when it is long. */
  readonly text: string;
  readonly occurrences: number;
}

export interface FoundLines {
  readonly success: true;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly revision: string | null;
  readonly version: number | null;
  readonly matches: readonly FoundLine[];
  /** There is more than the answer shows, or not everything could be searched in time. */
  readonly truncated: boolean;
  readonly notes?: readonly string[];
}

/** Searches the texts of a commit line by line (`artifacts.md` 7.4 `search`), in at most 2 s. */
@Injectable()
export class SearchFiles {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly snapshots: Snapshots,
    private readonly blobs: ArtifactBlobs,
  ) {}

  async execute(actor: Actor, input: SearchFilesInput): Promise<FoundLines> {
    const artifactId = artifactIdOf(input);
    const query = input.query ?? '';
    const problems = new Problems();
    if (query === '') problems.add('query', 'is required');
    if (codePoints(query) > QUERY_MAX) problems.add('query', `must be at most ${QUERY_MAX} characters`);
    problems.throwIfAny();
    const matcher = lineMatcher({
      query,
      regex: input.regex === true,
      caseSensitive: input.caseSensitive === true,
    });
    const artifact = await this.directory.require(actor, artifactId, 'read', input.projectId);
    if (artifact.artifactType === 'asset') throw noneOfAsset('search');
    const snapshot = await this.snapshots.find(artifact, input.revision);
    const texts = snapshot.files.filter((file) => file.kind === 'text' && under(input.path, file.path));
    const limit = Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MOST);
    const found = await this.search(texts, matcher, limit);
    return {
      success: true,
      artifactId,
      sessionId: artifactId,
      revision: snapshot.revision,
      version: snapshot.version,
      ...found,
      ...notesOf(artifact.origin),
    };
  }

  private async search(
    files: readonly ManifestFile[],
    matcher: LineMatcher,
    limit: number,
  ): Promise<{ matches: FoundLine[]; truncated: boolean }> {
    const matches: FoundLine[] = [];
    const ends = Date.now() + TIME_MS;
    let truncated = false;
    let bytes = 0;
    let sliceEnds = Date.now() + SLICE_MS;
    for await (const { file, text } of this.texts(files)) {
      bytes += file.bytes;
      if (bytes > ALL_BYTES || Date.now() > ends) return { matches, truncated: true };
      let number = 0;
      for (const line of lines(text)) {
        number += 1;
        if (line.length > LINE_MAX) truncated = true;
        const occurrences = matcher(line.slice(0, LINE_MAX));
        if (occurrences > 0) {
          if (matches.length === limit) return { matches, truncated: true };
          matches.push({ path: file.path, line: number, text: shown(line), occurrences });
        }
        if (Date.now() > sliceEnds) {
          if (Date.now() > ends) return { matches, truncated: true };
          await turn();
          sliceEnds = Date.now() + SLICE_MS;
        }
      }
    }
    return { matches, truncated };
  }

  /** Texts in the order of their files, some of them read ahead. */
  private async *texts(
    files: readonly ManifestFile[],
  ): AsyncGenerator<{ readonly file: ManifestFile; readonly text: string }> {
    const ahead: Promise<string>[] = [];
    for (const [index, file] of files.entries()) {
      while (ahead.length < READ_AHEAD && index + ahead.length < files.length) {
        ahead.push(this.text(files[index + ahead.length]!));
      }
      yield { file, text: await ahead.shift()! };
    }
  }

  private text({ sha256, bytes }: ManifestFile): Promise<string> {
    const reading = this.blobs.slice(sha256, bytes, 0, bytes).then((content) => content.toString());
    // One that was read ahead and is not looked at any more may fail unheard.
    reading.catch(() => undefined);
    return reading;
  }
}

export function noneOfAsset(action: string): DomainError {
  return new DomainError('invalid', 'invalid', `action ${action} does not apply to an asset; use tree.`, {
    argument: 'action',
  });
}

function* lines(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    yield text[to - 1] === '\r' ? text.slice(from, to - 1) : text.slice(from, to);
    from = to + 1;
  }
}

function shown(line: string): string {
  return line.length <= LINE_SHOWN ? line : `${[...line.slice(0, LINE_SHOWN)].slice(0, -1).join('')}…`;
}
