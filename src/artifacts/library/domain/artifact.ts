import { conflict } from '#libs/kernel/errors.js';
import type {
  ArtifactStatus,
  ArtifactType,
  Framework,
  Maker,
  Origin,
  Privacy,
  VersionSource,
} from './artifact-types.js';
import { artifactArchived } from './refusals.js';

/** How long a deleted artifact can be brought back. */
export const UNDELETE_DAYS = 30;

export interface ArtifactState {
  readonly id: string;
  readonly projectId: string;
  workspaceId: string;
  name: string;
  description: string;
  readonly artifactType: ArtifactType;
  readonly framework: Framework | null;
  readonly origin: Origin;
  status: ArtifactStatus;
  error: string | null;
  privacy: Privacy;
  readonly entryWish: string | null;
  latestVersion: number | null;
  headRevision: string | null;
  latestEntryPath: string | null;
  latestFileCount: number | null;
  latestTotalBytes: number | null;
  /** Raised when access narrows, so that tickets of previews die. */
  previewEpoch: number;
  /** Raised by every save. */
  edit: number;
  archivedAt: Date | null;
  deletedAt: Date | null;
  readonly createdAt: Date;
  updatedAt: Date;
  readonly maker: Maker;
}

export interface StoredSummary {
  readonly number: number;
  readonly revision: string | null;
  readonly entryPath: string | null;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly source: VersionSource;
}

/** Files in versions that agents and people make (`artifacts.md` 3.2). */
export class Artifact {
  constructor(readonly state: ArtifactState) {}

  static create(
    given: Pick<
      ArtifactState,
      | 'id'
      | 'projectId'
      | 'workspaceId'
      | 'name'
      | 'description'
      | 'artifactType'
      | 'framework'
      | 'origin'
      | 'entryWish'
      | 'maker'
    >,
    status: ArtifactStatus,
    at: Date,
  ): Artifact {
    return new Artifact({
      ...given,
      status,
      error: null,
      privacy: 'private',
      latestVersion: null,
      headRevision: null,
      latestEntryPath: null,
      latestFileCount: null,
      latestTotalBytes: null,
      previewEpoch: 1,
      edit: 1,
      archivedAt: null,
      deletedAt: null,
      createdAt: at,
      updatedAt: at,
    });
  }

  get id(): string {
    return this.state.id;
  }

  get projectId(): string {
    return this.state.projectId;
  }

  get archived(): boolean {
    return this.state.archivedAt !== null;
  }

  get deleted(): boolean {
    return this.state.deletedAt !== null;
  }

  /** @throws DomainError `conflict` `archived`. */
  requireActive(): void {
    if (this.archived) throw artifactArchived();
  }

  /** A version was stored: it is the latest from now on, and what failed before is over. */
  advance(version: StoredSummary, at: Date): void {
    const { state } = this;
    state.latestVersion = version.number;
    state.headRevision = version.revision;
    state.latestEntryPath = version.entryPath;
    state.latestFileCount = version.fileCount;
    state.latestTotalBytes = version.totalBytes;
    if (state.status === 'failed' && version.source !== 'generate') this.becomeReady();
    state.updatedAt = at;
  }

  /** False when it was archived already. */
  archive(at: Date): boolean {
    if (this.archived) return false;
    this.state.archivedAt = at;
    this.state.updatedAt = at;
    return true;
  }

  unarchive(at: Date): boolean {
    if (!this.archived) return false;
    this.state.archivedAt = null;
    this.state.updatedAt = at;
    return true;
  }

  /** Names of the fields that are different now. @throws DomainError `conflict` `archived`. */
  change(
    wanted: Partial<Pick<ArtifactState, 'name' | 'description' | 'privacy' | 'workspaceId'>>,
    at: Date,
  ): string[] {
    const { state } = this;
    const fields = (['name', 'description', 'privacy', 'workspaceId'] as const).filter(
      (field) => wanted[field] !== undefined && wanted[field] !== state[field],
    );
    if (fields.length === 0) return [];
    this.requireActive();
    const narrowed = state.privacy === 'public' && wanted.privacy === 'private';
    Object.assign(state, Object.fromEntries(fields.map((field) => [field, wanted[field]])));
    if (narrowed) state.previewEpoch += 1;
    state.updatedAt = at;
    return fields;
  }

  /** False when it was deleted already. */
  delete(at: Date): boolean {
    if (this.deleted) return false;
    this.state.deletedAt = at;
    this.state.previewEpoch += 1;
    return true;
  }

  undelete(): boolean {
    if (!this.deleted) return false;
    this.state.deletedAt = null;
    return true;
  }

  /** @throws DomainError `conflict` from `ready`. */
  generateAgain(at: Date): void {
    if (this.state.status === 'ready')
      throw conflict('not_failed', 'Only a failed generation can be repeated.');
    this.state.status = 'generating';
    this.state.error = null;
    this.state.updatedAt = at;
  }

  succeed(name: string, at: Date): void {
    this.state.name = name;
    this.becomeReady();
    this.state.updatedAt = at;
  }

  fail(error: string, at: Date): void {
    if (this.state.status !== 'generating') return;
    this.state.status = 'failed';
    this.state.error = error;
    this.state.updatedAt = at;
  }

  private becomeReady(): void {
    this.state.status = 'ready';
    this.state.error = null;
  }
}
