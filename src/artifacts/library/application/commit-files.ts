import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { SkippedFile } from '../domain/artifact-types.js';
import { sortFileSet, unsafePath } from '../domain/file-set-policy.js';
import { overLimit } from '../domain/refusals.js';
import { ArtifactBlobs } from './ports/artifact-blobs.js';
import { GitRepositories, type TreeFile } from './ports/git-repositories.js';
import type { CandidateFile } from './ports/version-store.js';

/** Reads what of a commit may be in a version, and brings the bytes into the blob store. */
@Injectable()
export class CommitFiles {
  constructor(
    private readonly repositories: GitRepositories,
    private readonly blobs: ArtifactBlobs,
    private readonly flags: Flags,
  ) {}

  /** @throws DomainError `invalid` for links, submodules and unsafe paths; `conflict` `limit`. */
  async of(
    artifactId: string,
    revision: string,
  ): Promise<{ readonly files: readonly CandidateFile[]; readonly skipped: readonly SkippedFile[] }> {
    const tree = await this.repositories.tree(artifactId, revision);
    const { stored, skipped } = readableTree(tree, this.flags.int('artifacts.version_max_files'));
    const maxBytes = this.flags.int('artifacts.file_max_bytes');
    const files: CandidateFile[] = [];
    for (const { path, oid, bytes } of stored) {
      if (bytes > maxBytes)
        throw overLimit(`${path} holds ${bytes} bytes; the limit of one file is ${maxBytes}.`);
      const blob = await this.blobs.put(await this.repositories.openFile(artifactId, oid), { maxBytes });
      files.push({ path, blob });
    }
    return { files, skipped };
  }
}

/**
 * What of a commit may be in a version. Names must be stored as they are in the commit, so another Unicode form is
 * refused rather than changed. @throws DomainError naming the path.
 */
export function readableTree(
  tree: readonly TreeFile[],
  maxFiles: number,
): { readonly stored: readonly TreeFile[]; readonly skipped: readonly SkippedFile[] } {
  for (const { path } of tree) {
    if (path !== path.normalize('NFC')) throw unsafePath(path, 'is not in the Unicode form NFC');
  }
  const { stored, skipped } = sortFileSet(
    tree.map((file) => ({ ...file, ...(file.kind === 'file' ? {} : { special: file.kind }) })),
  );
  if (stored.length > maxFiles)
    throw overLimit(`The commit has ${stored.length} files; the limit is ${maxFiles}.`);
  return { stored: stored.map(({ entry }) => entry), skipped };
}
