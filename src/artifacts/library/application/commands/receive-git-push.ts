import { Injectable, Logger } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Maker, SkippedFile } from '../../domain/artifact-types.js';
import { artifactArchived, overLimit } from '../../domain/refusals.js';
import { NOTES_MAX } from '../../domain/texts.js';
import { readableTree } from '../commit-files.js';
import { type ArtifactBlob, ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { GitRepositories, type TreeFile } from '../ports/git-repositories.js';
import type { PushedCommits, PushGate, RefUpdate } from '../ports/git-transport.js';
import { PushedTips } from '../ports/pushed-tips.js';
import { RepositoryReconciler } from '../ports/repository-reconciler.js';
import { Shelves } from '../ports/shelves.js';
import type { CandidateFile, StoredVersion } from '../ports/version-store.js';
import { type HeldLease, WriteLeases } from '../ports/write-leases.js';
import { RefusalRecords } from '../refusal-records.js';
import { VersionWriter } from '../version-writer.js';

const MAIN = 'refs/heads/main';
const REF = /^refs\/(heads|tags)\/[^\s\p{C}]{1,200}$/u;

/** A push that is to be decided about. */
export interface GitPush {
  readonly artifactId: string;
  readonly projectId: string;
  readonly actor: Actor;
  readonly maker: Maker;
}

interface ReviewedTip {
  readonly revision: string;
  readonly files: readonly CandidateFile[];
  readonly skipped: readonly SkippedFile[];
  readonly notes: string;
}

/** A running push: its gate, and the end that gives the lease back. */
export interface RunningPush extends PushGate {
  /** To be called when the process of the push has ended, however it did. */
  end(): void;
}

/**
 * Pushes over git (`artifacts.md` 7.6): checked while the objects are in quarantine, stored as one version after the refs
 * moved. The write lease is held from the check to the end of the push.
 */
@Injectable()
export class ReceiveGitPush {
  private readonly logger = new Logger('artifacts');

  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly directory: ArtifactDirectory,
    private readonly leases: WriteLeases,
    private readonly reconciler: RepositoryReconciler,
    private readonly repositories: GitRepositories,
    private readonly blobs: ArtifactBlobs,
    private readonly shelves: Shelves,
    private readonly tips: PushedTips,
    private readonly writer: VersionWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly refusals: RefusalRecords,
  ) {}

  execute(push: GitPush): RunningPush {
    let release: () => void = () => undefined;
    const ended = new Promise<void>((done) => {
      release = done;
    });
    let lease: HeldLease | null = null;
    let tip: ReviewedTip | null = null;
    return {
      review: async (updates, commits) => {
        const { actor, projectId, artifactId } = push;
        const attempt = { operation: 'artifact.git_pushed', projectId, artifactId };
        return this.refusals.around(actor, attempt, async () => {
          lease = await this.hold(artifactId, ended);
          tip = await this.review(push, lease, updates, commits);
          return [];
        });
      },
      moved: async (updates) => {
        const moved = updates.some((update) => update.ref === MAIN && update.to === tip?.revision);
        return moved && lease && tip ? this.store(push, lease, tip) : [];
      },
      end: release,
    };
  }

  /** The lease as a thing to keep; it goes back when `ended` comes. */
  private hold(artifactId: string, ended: Promise<void>): Promise<HeldLease> {
    return new Promise<HeldLease>((done, fail) => {
      this.leases
        .hold(artifactId, async (lease) => {
          done(lease);
          await ended;
        })
        .catch(fail);
    });
  }

  private async review(
    { artifactId, maker }: GitPush,
    lease: HeldLease,
    updates: readonly RefUpdate[],
    commits: PushedCommits,
  ): Promise<ReviewedTip | null> {
    await this.reconciler.reconcile(artifactId, lease);
    const artifact = await this.directory.find(artifactId);
    if (!artifact || artifact.archived) throw artifactArchived();
    await this.checkRefs(updates, commits);
    const size = await commits.bytes();
    const sizeMax = this.flags.int('artifacts.git_repository_max_bytes');
    if (size > sizeMax) {
      throw overLimit(
        `The repository would hold ${size} bytes; the limit is ${sizeMax}. Nothing was pushed.`,
      );
    }
    const main = updates.find(({ ref }) => ref === MAIN);
    if (!main) return null;
    const revision = await this.checkMain(main, commits);
    const { files, skipped } = await this.filesOf(artifact, revision, commits);
    const notes = [...(await commits.message(revision))].slice(0, NOTES_MAX).join('');
    await this.tips.note(artifactId, revision, maker);
    return { revision, files, skipped, notes };
  }

  private async checkRefs(updates: readonly RefUpdate[], commits: PushedCommits): Promise<void> {
    const refs = new Set(await commits.refs());
    for (const { ref, to } of updates) {
      if (!REF.test(ref)) throw refused(`${ref} cannot be pushed: only branches and tags are kept.`);
      if (to === null) refs.delete(ref);
      else refs.add(ref);
    }
    for (const [prefix, flag, things] of [
      ['refs/heads/', 'artifacts.git_max_branches', 'branches'],
      ['refs/tags/', 'artifacts.git_max_tags', 'tags'],
    ] as const) {
      const count = [...refs].filter((ref) => ref.startsWith(prefix)).length;
      const max = this.flags.int(flag);
      if (count > max && updates.some(({ ref, from }) => from === null && ref.startsWith(prefix)))
        throw overLimit(`The repository would have ${count} ${things}; the limit is ${max}.`);
    }
  }

  private async checkMain({ from, to }: RefUpdate, commits: PushedCommits): Promise<string> {
    if (to === null) throw refused('main cannot be deleted: it holds the versions of the artifact.');
    if (from !== null && !(await commits.isAncestor(from, to)))
      throw refused(
        'main only moves forward: fetch, rebase your commits on origin/main, and push without force.',
      );
    // Its own ancestor when it is a commit at all, and no tag or tree.
    if (!(await commits.isAncestor(to, to))) throw refused('main must point to a commit.');
    return to;
  }

  /** The files of the new tip with their bytes in the store, all within the limits. */
  private async filesOf(
    artifact: ArtifactFacts,
    revision: string,
    commits: PushedCommits,
  ): Promise<Pick<ReviewedTip, 'files' | 'skipped'>> {
    const tree = await commits.tree(revision);
    const { stored: kept, skipped } = readableTree(tree, this.flags.int('artifacts.version_max_files'));
    this.checkSizes(kept);
    this.checkVersions(artifact);
    const known = await this.knownBlobs(artifact);
    const maxBytes = this.flags.int('artifacts.file_max_bytes');
    const oids = [...new Set(kept.map(({ oid }) => oid))].filter((oid) => !known.has(oid));
    for await (const { oid, content } of commits.contents(oids))
      known.set(oid, await this.blobs.put(content, { maxBytes }));
    const files = kept.map(({ path, oid }) => ({ path, blob: known.get(oid)! }));
    await this.checkQuota(artifact.projectId, files);
    return { files, skipped };
  }

  private checkSizes(files: readonly TreeFile[]): void {
    const fileMax = this.flags.int('artifacts.file_max_bytes');
    let total = 0;
    for (const { path, bytes } of files) {
      if (bytes > fileMax)
        throw overLimit(`${path} holds ${bytes} bytes; the limit of one file is ${fileMax}.`);
      total += bytes;
    }
    const max = this.flags.int('artifacts.version_max_bytes');
    if (total > max)
      throw overLimit(`The files hold ${total} bytes together; the limit of one version is ${max}.`);
  }

  private checkVersions({ latestVersion }: ArtifactFacts): void {
    const max = this.flags.int('artifacts.versions_max');
    if ((latestVersion ?? 0) >= max)
      throw overLimit(`The artifact has ${latestVersion} versions; the limit is ${max}.`);
  }

  /** Contents that the latest version holds already, by git's own id: they need not be read again. */
  private async knownBlobs(artifact: ArtifactFacts): Promise<Map<string, ArtifactBlob>> {
    const known = new Map<string, ArtifactBlob>();
    const { artifactId, latestVersion, headRevision } = artifact;
    if (latestVersion === null || headRevision === null) return known;
    const version = await this.directory.version(artifactId, latestVersion);
    if (!version) return known;
    const [tree, manifest] = await Promise.all([
      this.repositories.tree(artifactId, headRevision),
      this.directory.files(version.versionId),
    ]);
    const byPath = new Map(manifest.map(({ path, sha256 }) => [path, sha256]));
    const blobs = await this.blobs.describe([...new Set(byPath.values())]);
    for (const { path, oid } of tree) {
      const blob = blobs.get(byPath.get(path) ?? '');
      if (blob) known.set(oid, blob);
    }
    return known;
  }

  /** Counts against the quota and takes it back, so that a full project refuses before refs move. */
  private async checkQuota(projectId: string, files: readonly CandidateFile[]): Promise<void> {
    const undone = new Error('Only a trial.');
    try {
      await this.unitOfWork.run(async () => {
        await this.shelves.addBlobs(
          projectId,
          files.map(({ blob }) => blob),
        );
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
  }

  private async store(
    { artifactId, actor, maker }: GitPush,
    lease: HeldLease,
    tip: ReviewedTip,
  ): Promise<string[]> {
    let stored: StoredVersion;
    try {
      stored = await this.writer.write(
        {
          target: { artifactId },
          files: tip.files,
          skipped: tip.skipped,
          notes: tip.notes,
          source: 'git',
          maker,
          actor,
          always: true,
          commit: tip.revision,
          inTransaction: async ({ version, projectId }) => {
            await this.audit.record(actor, {
              operation: 'artifact.git_pushed',
              subjectType: 'artifact',
              subjectId: artifactId,
              projectId,
              context: { version },
            });
          },
        },
        lease,
      );
      await this.tips.forget(artifactId);
    } catch (error) {
      this.logger.error({ msg: 'A push moved main and was not stored', artifactId, err: error });
      const why = error instanceof DomainError ? ` ${error.message}` : '';
      return [`main moved, but its version is not stored yet.${why} It is stored with the next access.`];
    }
    const { version, fileCount } = stored;
    const preview = this.configuration.url(`/artifacts/${artifactId}/preview`);
    return [
      `stored version ${version} (${fileCount} ${fileCount === 1 ? 'file' : 'files'}). Preview: ${preview}`,
    ];
  }
}

function refused(sentence: string): DomainError {
  return new DomainError('conflict', 'push_refused', sentence);
}
