import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Artifact } from '../domain/artifact.js';
import type { ManifestFile, SkippedFile } from '../domain/artifact-types.js';
import { contentTypeOf } from '../domain/content-kind.js';
import { entryPathOf } from '../domain/entry-path.js';
import { sortFileSet } from '../domain/file-set-policy.js';
import { changesBetween, manifestDigest, SKIPPED_KEPT } from '../domain/manifest.js';
import { artifactBusy, artifactNotFound, overLimit, revisionConflict } from '../domain/refusals.js';
import { ArtifactNews } from './artifact-news.js';
import { ArtifactBlobs } from './ports/artifact-blobs.js';
import { ArtifactDirectory } from './ports/artifact-directory.js';
import { ArtifactRepository } from './ports/artifact-repository.js';
import { GitRepositories } from './ports/git-repositories.js';
import { Shelves } from './ports/shelves.js';
import type { CandidateFile, StoredVersion, VersionToStore } from './ports/version-store.js';
import type { HeldLease } from './ports/write-leases.js';

interface Manifest {
  readonly files: readonly ManifestFile[];
  readonly totalBytes: number;
  readonly digest: string;
  readonly skipped: readonly SkippedFile[];
}

interface Latest {
  readonly number: number;
  readonly files: readonly ManifestFile[];
  readonly digest: string;
}

/**
 * The steps of a write that need the lease: check, commit, transaction, ref (`artifacts.md` 3.8, 3 to 6). A crash after
 * the commit leaves a pending ref, one after the transaction leaves `main` behind; the reconciler repairs both.
 */
@Injectable()
export class VersionWriter {
  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly directory: ArtifactDirectory,
    private readonly shelves: Shelves,
    private readonly blobs: ArtifactBlobs,
    private readonly repositories: GitRepositories,
    private readonly news: ArtifactNews,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** `lease` is null for a new artifact, which nobody else knows yet. */
  async write(version: VersionToStore, lease: HeldLease | null): Promise<StoredVersion> {
    const at = this.clock.now();
    const artifact = await this.artifactOf(version, at);
    const manifest = this.manifestOf(version.files, version.skipped ?? []);
    const latest = await this.latestOf(artifact);
    await this.requireBase(artifact, version.baseRevision, latest);
    const paths = manifest.files.map(({ path }) => path);
    const entryPath = entryPathOf(artifact.state, paths);
    const changed = changesBetween(latest?.files ?? [], manifest.files);
    const facts = {
      artifactId: artifact.id,
      projectId: artifact.projectId,
      previousRevision: artifact.state.headRevision,
      entryPath,
      fileCount: manifest.files.length,
      totalBytes: manifest.totalBytes,
      skippedFiles: manifest.skipped,
      changedFiles: changed.map(({ path }) => path),
    };
    if (latest && latest.digest === manifest.digest && !version.always) {
      const { latestVersion, headRevision } = artifact.state;
      return { ...facts, version: latestVersion!, revision: headRevision, unchanged: true };
    }
    this.requireRoom(latest?.number ?? 0);
    const commit = await this.commit(artifact, version, manifest, latest, at);
    const stored: StoredVersion = {
      ...facts,
      version: (latest?.number ?? 0) + 1,
      revision: commit.revision,
      unchanged: false,
    };
    try {
      await this.record(artifact, version, manifest, stored, lease, at);
    } catch (error) {
      await this.undo(artifact.id, version, commit.pendingRef);
      throw error;
    }
    if (commit.pendingRef !== null) {
      await this.repositories.advance(
        artifact.id,
        version.onto ? version.onto.commit : artifact.state.headRevision,
        commit.revision!,
        commit.pendingRef,
      );
    }
    return stored;
  }

  private async artifactOf(version: VersionToStore, at: Date): Promise<Artifact> {
    const { target } = version;
    if ('create' in target) {
      const { artifactId: id, ...given } = target.create;
      return Artifact.create({ ...given, id, maker: version.maker }, 'ready', at);
    }
    const artifact = await this.artifacts.find(target.artifactId);
    if (!artifact || artifact.deleted) throw artifactNotFound();
    if (version.source !== 'generate') artifact.requireActive();
    return artifact;
  }

  private manifestOf(candidates: readonly CandidateFile[], left: readonly SkippedFile[]): Manifest {
    const sorted = sortFileSet(
      candidates.map((candidate) => ({ ...candidate, sniffedType: candidate.blob.sniffedType })),
    );
    const fileMax = this.flags.int('artifacts.file_max_bytes');
    let totalBytes = 0;
    const files = sorted.stored.map(({ path, entry: { blob } }): ManifestFile => {
      if (blob.bytes > fileMax) {
        throw overLimit(`${path} holds ${blob.bytes} bytes; the limit of one file is ${fileMax}.`);
      }
      totalBytes += blob.bytes;
      const { sha256, bytes, kind } = blob;
      return { path, sha256, bytes, kind, contentType: contentTypeOf(path, blob) };
    });
    const filesMax = this.flags.int('artifacts.version_max_files');
    if (files.length > filesMax) {
      throw overLimit(`The version has ${files.length} files; the limit is ${filesMax}.`);
    }
    const bytesMax = this.flags.int('artifacts.version_max_bytes');
    if (totalBytes > bytesMax) {
      throw overLimit(
        `The files hold ${totalBytes} bytes together; the limit of one version is ${bytesMax}.`,
      );
    }
    return { files, totalBytes, digest: manifestDigest(files), skipped: [...left, ...sorted.skipped] };
  }

  private async latestOf(artifact: Artifact): Promise<Latest | null> {
    const { latestVersion } = artifact.state;
    if (latestVersion === null) return null;
    const version = await this.directory.version(artifact.id, latestVersion);
    if (!version) throw artifactNotFound();
    const files = await this.directory.files(version.versionId);
    return { number: version.number, files, digest: manifestDigest(files) };
  }

  private async requireBase(
    artifact: Artifact,
    baseRevision: string | undefined,
    latest: Latest | null,
  ): Promise<void> {
    const { headRevision } = artifact.state;
    if (baseRevision === undefined || baseRevision === headRevision) return;
    const base = await this.directory.versionOfRevision(artifact.id, baseRevision);
    const before = base ? await this.directory.files(base.versionId) : [];
    const changed = base ? changesBetween(before, latest?.files ?? []).map(({ path }) => path) : [];
    throw revisionConflict(headRevision, changed);
  }

  private requireRoom(versions: number): void {
    const max = this.flags.int('artifacts.versions_max');
    if (versions >= max) throw overLimit(`The artifact has ${versions} versions; the limit is ${max}.`);
  }

  private async commit(
    artifact: Artifact,
    version: VersionToStore,
    manifest: Manifest,
    latest: Latest | null,
    at: Date,
  ): Promise<{ readonly revision: string | null; readonly pendingRef: string | null }> {
    if (version.commit !== undefined) return { revision: version.commit, pendingRef: null };
    if (artifact.state.artifactType === 'asset') return { revision: null, pendingRef: null };
    const changes = changesBetween(latest?.files ?? [], manifest.files);
    const removed = changes.filter(({ change }) => change === 'removed').map(({ path }) => path);
    const touched = new Set(changes.map(({ path }) => path));
    return this.repositories.write({
      artifactId: artifact.id,
      message: version.notes.trim() || defaultMessage(version.source),
      at,
      open: (sha256) => this.blobs.open(sha256),
      staged: version.staged,
      ...(version.onto
        ? { parent: version.onto.commit, files: manifest.files }
        : {
            parent: artifact.state.headRevision,
            files: manifest.files.filter(({ path }) => touched.has(path)),
            removed: latest ? removed : undefined,
          }),
    });
  }

  /** One transaction: version, files, head, counters, events. */
  private async record(
    seen: Artifact,
    version: VersionToStore,
    manifest: Manifest,
    stored: StoredVersion,
    lease: HeldLease | null,
    at: Date,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await lease?.requireHeld();
      const isNew = 'create' in version.target;
      const artifact = isNew ? seen : await this.artifacts.lock(seen.id);
      if (!artifact || artifact.deleted) throw artifactNotFound();
      if (artifact.state.latestVersion !== seen.state.latestVersion) throw artifactBusy();
      // A generation goes on while its artifact is archived.
      if (version.source !== 'generate') artifact.requireActive();
      if (isNew) {
        await this.shelves.addArtifact(artifact.projectId);
        await this.artifacts.add(artifact);
      }
      await this.shelves.addBlobs(artifact.projectId, manifest.files);
      await this.artifacts.addVersion({
        id: this.ids.next(),
        artifactId: artifact.id,
        number: stored.version,
        revision: stored.revision,
        notes: version.notes,
        source: version.source,
        entryPath: stored.entryPath,
        files: manifest.files,
        totalBytes: manifest.totalBytes,
        digest: manifest.digest,
        skippedFiles: manifest.skipped.slice(0, SKIPPED_KEPT),
        skippedCount: manifest.skipped.length,
        maker: version.maker,
        at,
      });
      const latest = new Artifact({ ...artifact.state });
      latest.advance({ ...stored, number: stored.version, source: version.source }, at);
      await this.artifacts.save(latest);
      await this.tell(version, latest, stored, isNew);
      await version.inTransaction?.(stored);
    });
  }

  private async tell(
    version: VersionToStore,
    artifact: Artifact,
    stored: StoredVersion,
    isNew: boolean,
  ): Promise<void> {
    const { version: number, revision, fileCount, totalBytes } = stored;
    const { source } = version;
    const { origin, artifactType, name } = artifact.state;
    await this.news.tell(version.actor, artifact, {
      events: [
        ...(isNew ? [{ type: 'ArtifactCreated', payload: { origin, artifactType, name } }] : []),
        { type: 'ArtifactVersionStored', payload: { version: number, revision, source } },
      ],
      audit: [
        ...(isNew ? [{ operation: 'artifact.created', context: { origin, artifactType } }] : []),
        {
          operation: 'artifact.version_stored',
          context: { version: number, source, fileCount, totalBytes, skipped: stored.skippedFiles.length },
        },
      ],
      live: [isNew ? 'list' : 'version'],
      version: number,
    });
  }

  private async undo(artifactId: string, version: VersionToStore, pendingRef: string | null): Promise<void> {
    if ('create' in version.target) await this.repositories.remove(artifactId).catch(() => undefined);
    else if (pendingRef !== null) {
      await this.repositories.dropPending(artifactId, pendingRef).catch(() => undefined);
    }
  }
}

function defaultMessage(source: VersionToStore['source']): string {
  const words: Record<VersionToStore['source'], string> = {
    push: 'Push',
    import: 'Import files',
    seed: 'Start',
    generate: 'Generate',
    edit: 'Edit',
    git: 'Push',
    restore: 'Restore an earlier version',
    duplicate: 'Duplicate',
  };
  return words[source];
}
