import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';
import {
  type BuildKind,
  type BuildResult,
  PreviewBuilder,
  type PreviewFile,
} from '../ports/preview-builder.js';
import { type PreviewBuild, PreviewBuilds } from '../ports/preview-builds.js';

/** Bytes of one built file. */
const FILE_MAX_BYTES = 26_214_400;
/** A build that ran out of time or memory is tried again by the first view after this. */
const RETRY_MS = 10 * 60_000;
const FIRST_LOOK_MS = 100;
const LOOK_MS = 1_000;

export interface VersionToBuild {
  readonly versionId: string;
  readonly entryPath: string | null;
  readonly kind: BuildKind;
}

/** Builds what a version is shown as, once for each edition of the builder, however many ask at the same time. */
@Injectable()
export class BuildPreview {
  /** Builds of this process, so that a burst of first views waits on one promise. */
  private readonly running = new Map<string, Promise<PreviewBuild>>();

  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly blobs: ArtifactBlobs,
    private readonly builds: PreviewBuilds,
    private readonly builder: PreviewBuilder,
    private readonly clock: Clock,
  ) {}

  /** @returns null when it is not done within `waitMs`; the build goes on. */
  async execute(version: VersionToBuild, waitMs: number): Promise<PreviewBuild | null> {
    const edition = this.builder.editionOf(version.kind);
    const end = Date.now() + waitMs;
    let pause = FIRST_LOOK_MS;
    while (true) {
      const own = this.running.get(keyOf(version.versionId, edition));
      if (own !== undefined) return within(own, end - Date.now());
      const known = await this.builds.find(version.versionId, edition);
      if (known !== null && known.state !== 'building') return known;
      if (await this.builds.claim(version.versionId, edition)) {
        return within(this.start(version, edition), end - Date.now());
      }
      // Another process builds, or another call of this one just began.
      if (Date.now() >= end) return null;
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, LOOK_MS);
    }
  }

  private start(version: VersionToBuild, edition: string): Promise<PreviewBuild> {
    const key = keyOf(version.versionId, edition);
    const work = this.build(version, edition).finally(() => this.running.delete(key));
    this.running.set(key, work);
    // Whoever stopped waiting does not hear it.
    work.catch(() => undefined);
    return work;
  }

  private async build(
    { versionId, entryPath, kind }: VersionToBuild,
    builder: string,
  ): Promise<PreviewBuild> {
    try {
      const files = await this.directory.files(versionId);
      const result = await this.builder.build(kind, files, entryPath);
      const built = result.state === 'ready' ? await this.keep(result) : [];
      const build: PreviewBuild = {
        versionId,
        builder,
        state: result.state,
        root: result.state === 'ready' ? result.root : '',
        entryPath: result.state === 'ready' ? result.entryPath : null,
        log: result.state === 'ready' ? result.notes.join('\n') : result.error,
      };
      const atLimit = result.state === 'failed' && result.atLimit === true;
      await this.builds.finish(build, built, atLimit ? this.later() : null);
      return build;
    } catch (error) {
      await this.builds.release(versionId, builder);
      throw error;
    }
  }

  private later(): Date {
    return new Date(this.clock.now().getTime() + RETRY_MS);
  }

  private async keep(result: BuildResult & { state: 'ready' }): Promise<PreviewFile[]> {
    const kept: PreviewFile[] = [];
    for (const { path, contentType, content } of result.files) {
      const { sha256, bytes, kind } = await this.blobs.put(content, { maxBytes: FILE_MAX_BYTES });
      kept.push({ path, contentType, sha256, bytes, kind });
    }
    return kept;
  }
}

function keyOf(versionId: string, edition: string): string {
  return `${versionId} ${edition}`;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
