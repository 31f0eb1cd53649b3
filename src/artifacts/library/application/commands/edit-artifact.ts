import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import {
  type FileChange,
  type GivenChange,
  readChanges,
  readCommitMessage,
  replaced,
  wrong,
} from '../../domain/file-changes.js';
import { reasonToSkip } from '../../domain/file-set-policy.js';
import { changesBetween } from '../../domain/manifest.js';
import { artifactArchived, revisionConflict, stillGenerating } from '../../domain/refusals.js';
import { makerOf } from '../makers.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { type ArtifactBlob, ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { VersionStore } from '../ports/version-store.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';

export interface EditArtifactInput extends NamedArtifact {
  readonly projectId: string;
  /** Full id of the latest revision. */
  readonly baseRevision?: string | null;
  readonly commitMessage?: string | null;
  readonly changes?: readonly GivenChange[] | null;
}

export interface EditedArtifact {
  readonly success: true;
  readonly sessionId: string;
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string | null;
  readonly previousRevision: string | null;
  readonly changedFiles: readonly string[];
  readonly previewUrl: string;
  readonly unchanged?: true;
}

/**
 * Changes files of the latest version: all operations or none, one commit, one version (`artifacts.md` 7.4).
 * @throws InvalidInput; DomainError `revision_conflict`, `busy`, `archived`, `not-found`, `forbidden`.
 */
@Injectable()
export class EditArtifact {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly access: ProjectAccess,
    private readonly directory: ArtifactDirectory,
    private readonly workers: WorkerDoor,
    private readonly blobs: ArtifactBlobs,
    private readonly versions: VersionStore,
    private readonly addresses: ArtifactAddresses,
    private readonly flags: Flags,
  ) {}

  async execute(actor: Actor, input: EditArtifactInput): Promise<EditedArtifact> {
    const attempt = {
      operation: 'artifact.version_stored',
      projectId: input.projectId,
      artifactId: input.artifactId ?? input.sessionId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: EditArtifactInput): Promise<EditedArtifact> {
    await this.access.require(actor, input.projectId, 'contribute');
    const artifactId = artifactIdOf(input);
    const problems = new Problems();
    const base = (input.baseRevision ?? '').toLowerCase();
    if (!/^[0-9a-f]{40}$/.test(base)) {
      problems.add('baseRevision', 'must be the full id of the revision that you read, 40 hex digits');
    }
    const message = readCommitMessage(problems, input.commitMessage);
    const changes = readChanges(problems, input.changes ?? []);
    problems.throwIfAny();
    await this.workers.refuseWorkers(actor);
    const artifact = await this.directory.require(actor, artifactId, 'write', input.projectId);
    if (artifact.archived) throw artifactArchived();
    if (artifact.status === 'generating') throw stillGenerating();
    if (artifact.artifactType === 'asset') {
      throw wrong('sessionId', 'names an asset, which has no files to edit. Upload a new one.');
    }
    await this.requireBase(artifact, base);
    const files = await this.applied(artifact, changes);
    const stored = await this.versions.store({
      target: { artifactId },
      files: [...files].map(([path, blob]) => ({ path, blob })),
      notes: message,
      source: 'edit',
      maker: makerOf(actor),
      actor,
      baseRevision: base,
    });
    return {
      success: true,
      sessionId: artifactId,
      artifactId,
      version: stored.version,
      revision: stored.revision,
      previousRevision: stored.previousRevision,
      changedFiles: stored.changedFiles,
      previewUrl: this.addresses.preview(artifactId),
      ...(stored.unchanged ? { unchanged: true } : {}),
    };
  }

  private async requireBase(artifact: ArtifactFacts, base: string): Promise<void> {
    if (base === artifact.headRevision) return;
    const before = await this.directory.versionOfRevision(artifact.artifactId, base);
    const latest = await this.filesOf(artifact);
    const changed = before
      ? changesBetween(await this.directory.files(before.versionId), latest).map(({ path }) => path)
      : [];
    throw revisionConflict(artifact.headRevision, changed);
  }

  private async filesOf(artifact: ArtifactFacts) {
    const version = await this.directory.version(artifact.artifactId, artifact.latestVersion!);
    return this.directory.files(version!.versionId);
  }

  private async applied(
    artifact: ArtifactFacts,
    changes: readonly FileChange[],
  ): Promise<Map<string, ArtifactBlob>> {
    const files = await this.filesOf(artifact);
    const known = await this.blobs.describe(files.map(({ sha256 }) => sha256));
    const set = new Map(files.map(({ path, sha256 }) => [path, known.get(sha256)!]));
    for (const [index, change] of changes.entries()) await this.apply(set, change, `changes[${index}]`);
    return set;
  }

  private async apply(set: Map<string, ArtifactBlob>, change: FileChange, place: string): Promise<void> {
    if (change.op === 'write') {
      requireStored(change.path, `${place}.path`);
      set.set(change.path, await this.put(change.content));
      return;
    }
    const from = change.op === 'move' ? change.fromPath : change.path;
    const at = `${place}.${change.op === 'move' ? 'fromPath' : 'path'}`;
    const blob = set.get(from);
    if (!blob) throw wrong(at, `names no file: ${from} does not exist.`);
    if (change.op === 'delete') {
      set.delete(from);
    } else if (change.op === 'move') {
      requireStored(change.toPath, `${place}.toPath`);
      if (set.has(change.toPath)) throw wrong(`${place}.toPath`, `is taken: ${change.toPath} exists.`);
      set.delete(from);
      set.set(change.toPath, blob);
    } else {
      if (blob.kind !== 'text') throw wrong(at, `names ${from}, which is no text.`);
      const text = (await this.blobs.read(blob.sha256, blob.bytes)).toString();
      set.set(from, await this.put(Buffer.from(replaced(text, change, place))));
    }
  }

  private put(content: Buffer): Promise<ArtifactBlob> {
    return this.blobs.put(content, { maxBytes: this.flags.int('artifacts.file_max_bytes') });
  }
}

/** A file that would be left out silently is refused: whoever writes it means it. */
function requireStored(path: string, argument: string): void {
  const reason = reasonToSkip(path, null);
  if (reason !== null) throw wrong(argument, `is not stored: ${path} (${reason}).`);
}
