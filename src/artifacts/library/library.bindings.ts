import type { Provider } from '@nestjs/common';
import { ArtifactNews } from './application/artifact-news.js';
import { ChoosingWorkspaces } from './application/choosing-workspaces.js';
import { MovingStates } from './application/moving-states.js';
import { ArtifactBlobs } from './application/ports/artifact-blobs.js';
import { ArtifactDirectory } from './application/ports/artifact-directory.js';
import { ArtifactRepository } from './application/ports/artifact-repository.js';
import { ArtifactStates } from './application/ports/artifact-states.js';
import { GitRepositories } from './application/ports/git-repositories.js';
import { PushedTips } from './application/ports/pushed-tips.js';
import { RepositoryReconciler } from './application/ports/repository-reconciler.js';
import { Shelves } from './application/ports/shelves.js';
import { VersionStore } from './application/ports/version-store.js';
import { WorkspaceChoice } from './application/ports/workspace-choice.js';
import { Workspaces } from './application/ports/workspaces.js';
import { WriteLeases } from './application/ports/write-leases.js';
import { Reconciling } from './application/reconciling.js';
import { StoringVersions } from './application/storing-versions.js';
import { VersionWriter } from './application/version-writer.js';
import { RealGitRepositories } from './infrastructure/git/real-git-repositories.js';
import { PostgresArtifactDirectory } from './infrastructure/postgres-artifact-directory.js';
import { PostgresArtifactRepository } from './infrastructure/postgres-artifact-repository.js';
import { PostgresPushedTips } from './infrastructure/postgres-pushed-tips.js';
import { PostgresShelves } from './infrastructure/postgres-shelves.js';
import { PostgresWorkspaces } from './infrastructure/postgres-workspaces.js';
import { PostgresWriteLeases } from './infrastructure/postgres-write-leases.js';
import { StoredArtifactBlobs } from './infrastructure/stored-artifact-blobs.js';

/** Ports of the library that the other areas of artifacts use. */
export const offeredPorts = [
  ArtifactBlobs,
  ArtifactDirectory,
  ArtifactStates,
  GitRepositories,
  PushedTips,
  RepositoryReconciler,
  Shelves,
  VersionStore,
  WorkspaceChoice,
  WriteLeases,
];

/** Which adapter serves which port of the library. */
export const libraryBindings: Provider[] = [
  ArtifactNews,
  VersionWriter,
  RealGitRepositories,
  { provide: ArtifactBlobs, useClass: StoredArtifactBlobs },
  { provide: ArtifactDirectory, useClass: PostgresArtifactDirectory },
  { provide: ArtifactRepository, useClass: PostgresArtifactRepository },
  { provide: ArtifactStates, useClass: MovingStates },
  { provide: GitRepositories, useExisting: RealGitRepositories },
  { provide: PushedTips, useClass: PostgresPushedTips },
  { provide: RepositoryReconciler, useClass: Reconciling },
  { provide: Shelves, useClass: PostgresShelves },
  { provide: VersionStore, useClass: StoringVersions },
  { provide: WorkspaceChoice, useClass: ChoosingWorkspaces },
  { provide: Workspaces, useClass: PostgresWorkspaces },
  { provide: WriteLeases, useClass: PostgresWriteLeases },
];
