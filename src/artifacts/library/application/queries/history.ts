import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import { type Change, changesBetween } from '../../domain/manifest.js';
import { stillGenerating } from '../../domain/refusals.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { GitRepositories, type LoggedCommit } from '../ports/git-repositories.js';
import { Snapshots } from '../snapshots.js';
import { noneOfAsset } from './search-files.js';

const DEFAULT_LIMIT = 20;
const MOST = 50;

export interface HistoryInput extends NamedArtifact {
  readonly projectId: string;
  readonly cursor?: string | null;
  readonly limit?: number | null;
  /** One commit, with the files that it changed. */
  readonly revision?: string | null;
}

export interface HistoryCommit {
  readonly revision: string;
  /** Absent for commits that came with others in one push. */
  readonly version?: number;
  readonly message: string;
  readonly createdAt: Date;
}

export interface HistoryAnswer {
  readonly success: true;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly revision: string | null;
  readonly version: number | null;
  readonly commits?: readonly HistoryCommit[];
  readonly nextCursor?: string | null;
  readonly commit?: HistoryCommit & {
    readonly changedFiles: readonly { readonly path: string; readonly change: Change }[];
  };
}

/** Commits of `main`, newest first, or one with what it changed (`artifacts.md` 7.4 `history`). */
@Injectable()
export class History {
  constructor(
    private readonly database: Database,
    private readonly directory: ArtifactDirectory,
    private readonly repositories: GitRepositories,
    private readonly snapshots: Snapshots,
  ) {}

  async execute(actor: Actor, input: HistoryInput): Promise<HistoryAnswer> {
    const artifactId = artifactIdOf(input);
    const skip = readCursor(input.cursor ?? null);
    const artifact = await this.directory.require(actor, artifactId, 'read', input.projectId);
    if (artifact.artifactType === 'asset') throw noneOfAsset('history');
    const head = artifact.headRevision;
    if (head === null) throw stillGenerating();
    const answer = {
      success: true as const,
      artifactId,
      sessionId: artifactId,
      revision: head,
      version: artifact.latestVersion,
    };
    if (input.revision != null) return { ...answer, commit: await this.one(artifact, input.revision) };
    const limit = Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MOST);
    const logged = await this.repositories.log(artifactId, head, skip, limit + 1);
    return {
      ...answer,
      commits: await this.named(artifactId, logged.slice(0, limit)),
      nextCursor: logged.length > limit ? String(skip + limit) : null,
    };
  }

  private async one(artifact: ArtifactFacts, wanted: string): Promise<HistoryAnswer['commit']> {
    const { artifactId } = artifact;
    const revision = (await this.snapshots.revision(artifact, wanted))!;
    const [commit, parent] = await this.repositories.log(artifactId, revision, 0, 2);
    const after = await this.snapshots.find(artifact, revision);
    const before = parent ? (await this.snapshots.find(artifact, parent.revision)).files : [];
    const [named] = await this.named(artifactId, [commit!]);
    return { ...named!, changedFiles: changesBetween(before, after.files) };
  }

  private async named(artifactId: string, commits: readonly LoggedCommit[]): Promise<HistoryCommit[]> {
    const rows = await this.database.query<{ revision: string; number: number }>(
      'SELECT revision, number FROM artifacts.version WHERE artifact_id = $1 AND revision = ANY($2)',
      [artifactId, commits.map(({ revision }) => revision)],
    );
    const numbers = new Map(rows.map(({ revision, number }) => [revision, number]));
    return commits.map(({ revision, message, at }) => {
      const version = numbers.get(revision);
      return { revision, ...(version === undefined ? {} : { version }), message, createdAt: at };
    });
  }
}

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  if (!/^\d{1,9}$/.test(cursor)) {
    throw new InvalidInput([{ argument: 'cursor', sentence: 'must be the nextCursor of the last answer' }]);
  }
  return Number(cursor);
}
