import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { DIFF_BYTES, DIFF_LINES, type DiffHunk } from '../../domain/text-diff.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { TextDiffer } from '../ports/text-differ.js';
import {
  type ComparedFile,
  type CompareVersionsInput,
  comparedFile,
  VersionPairs,
} from './compare-versions.js';

export interface DiffFileInput extends CompareVersionsInput {
  readonly path?: string | null;
}

export interface FileDiff extends ComparedFile {
  /** `too-large`: the texts are too long, or differ too much, for a difference. */
  readonly kind: 'text' | 'image' | 'binary' | 'too-large';
  readonly hunks: readonly DiffHunk[];
}

/** What differs in one file between two versions. @throws DomainError `not-found`, `one_version`. */
@Injectable()
export class DiffFile {
  constructor(
    private readonly pairs: VersionPairs,
    private readonly directory: ArtifactDirectory,
    private readonly blobs: ArtifactBlobs,
    private readonly differ: TextDiffer,
  ) {}

  async execute(actor: Actor, input: DiffFileInput): Promise<FileDiff> {
    const { path } = input;
    if (!path) throw new InvalidInput([{ argument: 'path', sentence: 'is required' }]);
    const pair = await this.pairs.find(actor, input);
    const from = await this.directory.file(pair.from.versionId, path);
    const to = await this.directory.file(pair.to.versionId, path);
    if (!from && !to)
      throw new DomainError('not-found', 'not_found', 'Neither version has a file of this path.');
    const compared = comparedFile(path, from, to);
    const kinds = [from, to].flatMap((file) => file?.kind ?? []);
    if (kinds.some((kind) => kind !== 'text')) {
      return { ...compared, kind: kinds.every((kind) => kind === 'image') ? 'image' : 'binary', hunks: [] };
    }
    if ([from, to].some((file) => file !== null && file.bytes > DIFF_BYTES)) {
      return { ...compared, kind: 'too-large', hunks: [] };
    }
    const [before, after] = [await this.text(from), await this.text(to)];
    if ([before, after].some((text) => text.split('\n').length > DIFF_LINES)) {
      return { ...compared, kind: 'too-large', hunks: [] };
    }
    const hunks = compared.change === 'same' ? [] : this.differ.diff(before, after);
    return { ...compared, kind: hunks === null ? 'too-large' : 'text', hunks: hunks ?? [] };
  }

  private async text(file: ManifestFile | null): Promise<string> {
    return file === null ? '' : (await this.blobs.read(file.sha256, DIFF_BYTES)).toString();
  }
}
