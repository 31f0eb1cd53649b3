import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import type { Artifact } from '../domain/artifact.js';
import { artifactBusy } from '../domain/refusals.js';
import { NOTES_MAX } from '../domain/texts.js';
import { CommitFiles } from './commit-files.js';
import { ArtifactDirectory } from './ports/artifact-directory.js';
import { ArtifactRepository } from './ports/artifact-repository.js';
import { GitRepositories } from './ports/git-repositories.js';
import { PushedTips } from './ports/pushed-tips.js';
import { RepositoryBundles } from './ports/repository-bundles.js';
import { RepositoryReconciler } from './ports/repository-reconciler.js';
import type { StoredVersion } from './ports/version-store.js';
import type { HeldLease } from './ports/write-leases.js';
import { VersionFiles } from './version-files.js';
import { VersionWriter } from './version-writer.js';

/** Somebody whose name a crash took: what they pushed is kept all the same. */
const UNKNOWN_MAKER = { kind: 'agent', personId: null } as const;

/** The database is the truth; what a push brought after it is stored, what contradicts it is kept aside. */
@Injectable()
export class Reconciling extends RepositoryReconciler {
  private readonly logger = new Logger('artifacts');

  constructor(
    private readonly artifacts: ArtifactRepository,
    private readonly repositories: GitRepositories,
    private readonly bundles: RepositoryBundles,
    private readonly commits: CommitFiles,
    private readonly tips: PushedTips,
    private readonly writer: VersionWriter,
    private readonly directory: ArtifactDirectory,
    private readonly files: VersionFiles,
  ) {
    super();
  }

  override async reconcile(artifactId: string, lease: HeldLease): Promise<StoredVersion | null> {
    const artifact = await this.artifacts.find(artifactId);
    if (!artifact || artifact.deleted || artifact.state.artifactType === 'asset') return null;
    const { headRevision } = artifact.state;
    const main =
      (await this.repositories.head(artifactId)) ?? (await this.restored(artifactId, headRevision));
    if (main === headRevision) return null;
    if (headRevision !== null && !(await this.repositories.holds(artifactId, headRevision)))
      return this.madeAnew(artifact, main, lease);
    if (headRevision !== null && (main === null || (await this.isBehind(artifactId, main, headRevision)))) {
      if (await this.repositories.advance(artifactId, main, headRevision, null)) return null;
      throw artifactBusy();
    }
    if (main === null) return null;
    // Stays for the first write after it is active again.
    if (artifact.archived) return null;
    const ahead =
      headRevision === null || (await this.repositories.isAncestor(artifactId, headRevision, main));
    if (ahead) {
      const stored = await this.ingest(artifact, main, lease);
      if (stored) return stored;
    }
    await this.putAside(artifact, main);
    return null;
  }

  private isBehind(artifactId: string, main: string, head: string): Promise<boolean> {
    return this.repositories.isAncestor(artifactId, main, head);
  }

  /** A repository that is gone comes back from its last pack. */
  private async restored(artifactId: string, headRevision: string | null): Promise<string | null> {
    if (headRevision === null || !(await this.bundles.restore(artifactId))) return null;
    this.logger.warn(`The repository of ${artifactId} was restored from its last pack.`);
    return this.repositories.head(artifactId);
  }

  /**
   * The repository lacks the latest revision, as after a restore without the folder of repositories. The files of every
   * version are stored apart from it, so a new version with those of the latest one goes on where the repository ends.
   */
  private async madeAnew(artifact: Artifact, main: string | null, lease: HeldLease): Promise<StoredVersion> {
    const { latestVersion } = artifact.state;
    const latest = latestVersion === null ? null : await this.directory.version(artifact.id, latestVersion);
    if (latest === null || artifact.archived) throw lostCommit();
    this.logger.warn(
      `The repository of ${artifact.id} lacks version ${latest.number}; it goes on with its files.`,
    );
    return this.writer.write(
      {
        target: { artifactId: artifact.id },
        files: await this.files.of(latest.versionId),
        notes: `Version ${latest.number} again: its commit was lost with the git repository`,
        source: 'restore',
        maker: UNKNOWN_MAKER,
        actor: { kind: 'system', jobName: 'artifact-git' },
        always: true,
        onto: { commit: main },
      },
      lease,
    );
  }

  private async ingest(artifact: Artifact, tip: string, lease: HeldLease): Promise<StoredVersion | null> {
    try {
      const { files, skipped } = await this.commits.of(artifact.id, tip);
      const maker = (await this.tips.makerOf(artifact.id, tip)) ?? UNKNOWN_MAKER;
      const message = await this.repositories.message(artifact.id, tip);
      const stored = await this.writer.write(
        {
          target: { artifactId: artifact.id },
          files,
          skipped,
          notes: [...message].slice(0, NOTES_MAX).join(''),
          source: 'git',
          maker,
          actor: { kind: 'system', jobName: 'artifact-git' },
          always: true,
          commit: tip,
        },
        lease,
      );
      await this.tips.forget(artifact.id);
      return stored;
    } catch (error) {
      // Checked before the refs moved; what is refused now was pushed around the check, or a limit fell meanwhile.
      if (!(error instanceof DomainError) || error.kind === 'unavailable' || error.code === 'busy')
        throw error;
      this.logger.warn(`A push to ${artifact.id} was kept aside: ${error.message}`);
      return null;
    }
  }

  private async putAside(artifact: Artifact, tip: string): Promise<void> {
    await this.repositories.keepOrphan(artifact.id, tip);
    const { headRevision } = artifact.state;
    if (headRevision !== null) await this.repositories.advance(artifact.id, tip, headRevision, null);
  }
}

function lostCommit(): DomainError {
  return new DomainError(
    'unavailable',
    'unavailable',
    'The git repository of this artifact lacks its latest commit. Bring the artifact back from the archive and change it once: that mends it.',
  );
}
