import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
  type VersionFacts,
} from '#src/artifacts/library/application/ports/artifact-directory.js';
import { keysOf } from '../domain/preview-path.js';
import { BuildPreview } from './commands/build-preview.js';
import { type BuildKind, PreviewBuilder, type PreviewFile } from './ports/preview-builder.js';
import { PreviewBuilds } from './ports/preview-builds.js';

/** What a version looks like. `builder` is null where its files are shown as they are. */
export type ShownVersion =
  | {
      readonly state: 'shown';
      readonly versionId: string;
      readonly builder: string | null;
      /** Folder of the version that stands at the base, with its slash; empty for all of it. */
      readonly root: string;
      readonly entryPath: string | null;
      /** Rendered Markdown runs no script. */
      readonly scripts: boolean;
    }
  | { readonly state: 'failed'; readonly error: string };

/** Which builder a version needs, or null. */
export function buildKindOf(facts: ArtifactFacts, version: VersionFacts): BuildKind | null {
  if (facts.artifactType === 'asset') return null;
  // An app that has no page yet shows its README.
  if (facts.artifactType === 'markdown' || version.entryPath?.endsWith('.md')) return 'markdown';
  return facts.framework === 'react' ? 'react' : null;
}

/** Finds what is shown for a version, and its files. */
@Injectable()
export class VersionPreviews {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly builds: PreviewBuilds,
    private readonly builder: PreviewBuilder,
    private readonly buildPreview: BuildPreview,
  ) {}

  /**
   * Builds first where that is needed and did not happen yet.
   * @throws DomainError `unavailable` `still_building` when the build takes longer than `waitMs`.
   */
  async show(facts: ArtifactFacts, version: VersionFacts, waitMs: number): Promise<ShownVersion> {
    const kind = buildKindOf(facts, version);
    const { versionId, entryPath } = version;
    if (kind === null)
      return { state: 'shown', versionId, builder: null, root: '', entryPath, scripts: true };
    const edition = this.builder.editionOf(kind);
    const known = await this.builds.find(versionId, edition);
    const build =
      known !== null && known.state !== 'building'
        ? known
        : await this.buildPreview.execute({ versionId, entryPath, kind }, waitMs);
    if (build === null) {
      throw new DomainError('unavailable', 'still_building', 'The preview is still being built. Try again.', {
        retryAfterSeconds: 5,
      });
    }
    if (build.state === 'failed') return { state: 'failed', error: build.log };
    return {
      state: 'shown',
      versionId,
      builder: edition,
      root: build.root,
      entryPath: build.entryPath,
      scripts: kind !== 'markdown',
    };
  }

  /** The file that a path leads to: by exact key, never by a path on a disk. */
  async file(shown: ShownVersion & { state: 'shown' }, path: string): Promise<PreviewFile | null> {
    for (const key of keysOf(path)) {
      const found = await this.byKey(shown, key);
      if (found !== null) return found;
    }
    return null;
  }

  private async byKey(
    { versionId, builder, root }: ShownVersion & { state: 'shown' },
    key: string,
  ): Promise<PreviewFile | null> {
    if (builder === null) return this.directory.file(versionId, key);
    if (root !== '') return this.directory.file(versionId, `${root}${key}`);
    return (
      (await this.builds.file(versionId, builder, key)) ??
      (await this.directory.file(versionId, key)) ??
      // Where the tools of React apps keep what is copied beside the page.
      (await this.directory.file(versionId, `public/${key}`))
    );
  }
}
