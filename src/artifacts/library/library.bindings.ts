import type { Provider, Type } from '@nestjs/common';
import { ArchiveMover } from './application/archive-mover.js';
import { ArtifactNews } from './application/artifact-news.js';
import { ChoosingWorkspaces } from './application/choosing-workspaces.js';
import { ArchiveArtifact } from './application/commands/archive-artifact.js';
import { ArchiveWorkspace } from './application/commands/archive-workspace.js';
import { ChangeWorkspace } from './application/commands/change-workspace.js';
import { CollectGarbage } from './application/commands/collect-garbage.js';
import { CreateWorkspace } from './application/commands/create-workspace.js';
import { DeleteArtifact } from './application/commands/delete-artifact.js';
import { DuplicateArtifact } from './application/commands/duplicate-artifact.js';
import { EditArtifact } from './application/commands/edit-artifact.js';
import { PurgeArtifacts } from './application/commands/purge-artifacts.js';
import { RestoreVersion } from './application/commands/restore-version.js';
import { SetArtifactCards } from './application/commands/set-artifact-cards.js';
import { TidyRepositories } from './application/commands/tidy-repositories.js';
import { UnarchiveArtifact } from './application/commands/unarchive-artifact.js';
import { UndeleteArtifact } from './application/commands/undelete-artifact.js';
import { UpdateMetadata } from './application/commands/update-metadata.js';
import { CommitFiles } from './application/commit-files.js';
import { LinkingCards } from './application/linking-cards.js';
import { MovingStates } from './application/moving-states.js';
import { ArtifactAddresses } from './application/ports/artifact-addresses.js';
import { ArtifactBlobs } from './application/ports/artifact-blobs.js';
import { ArtifactDirectory } from './application/ports/artifact-directory.js';
import { ArtifactErasure } from './application/ports/artifact-erasure.js';
import { ArtifactLinks } from './application/ports/artifact-links.js';
import { ArtifactRepository } from './application/ports/artifact-repository.js';
import { ArtifactStates } from './application/ports/artifact-states.js';
import { BlobCollection } from './application/ports/blob-collection.js';
import { CardLinks } from './application/ports/card-links.js';
import { GitInstallation } from './application/ports/git-installation.js';
import { GitRepositories } from './application/ports/git-repositories.js';
import { LibraryHooks } from './application/ports/library-hooks.js';
import { PushedTips } from './application/ports/pushed-tips.js';
import { RepositoryBundles } from './application/ports/repository-bundles.js';
import { RepositoryReconciler } from './application/ports/repository-reconciler.js';
import { Shelves } from './application/ports/shelves.js';
import { TextDiffer } from './application/ports/text-differ.js';
import { VersionStore } from './application/ports/version-store.js';
import { WorkspaceChoice } from './application/ports/workspace-choice.js';
import { Workspaces } from './application/ports/workspaces.js';
import { WriteLeases } from './application/ports/write-leases.js';
import { ArtifactReader } from './application/queries/artifact-reader.js';
import { ArtifactRows } from './application/queries/artifact-rows.js';
import { CheckStoredFiles } from './application/queries/check-stored-files.js';
import { CompareVersions, VersionPairs } from './application/queries/compare-versions.js';
import { DiffFile } from './application/queries/diff-file.js';
import { ExploreArtifact } from './application/queries/explore-artifact.js';
import { ExploreTree } from './application/queries/explore-tree.js';
import { GetAdminOverview } from './application/queries/get-admin-overview.js';
import { GetArtifact } from './application/queries/get-artifact.js';
import { GetArtifactPage } from './application/queries/get-artifact-page.js';
import { GetUsage } from './application/queries/get-usage.js';
import { FindVersionFile, GetVersionTree } from './application/queries/get-version-tree.js';
import { History } from './application/queries/history.js';
import { LibraryRows, ListLibraryPage } from './application/queries/library-page.js';
import { LinkedCards } from './application/queries/linked-cards.js';
import { ListArtifacts } from './application/queries/list-artifacts.js';
import { ListDeletedArtifacts } from './application/queries/list-deleted-artifacts.js';
import { ListWorkspaces, ListWorkspacesPage } from './application/queries/list-workspaces.js';
import { ReadArtifactFile } from './application/queries/read-artifact-file.js';
import { ReadFiles } from './application/queries/read-files.js';
import { SearchFiles } from './application/queries/search-files.js';
import { VersionLines } from './application/queries/version-lines.js';
import { WhenCardDeleted } from './application/reactions/when-card-deleted.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './application/reactions/when-project-deleted.js';
import { WhenVersionStored } from './application/reactions/when-version-stored.js';
import { Reconciling } from './application/reconciling.js';
import { RefusalRecords } from './application/refusal-records.js';
import { Snapshots } from './application/snapshots.js';
import { StoringVersions } from './application/storing-versions.js';
import { VersionFiles } from './application/version-files.js';
import { VersionWriter } from './application/version-writer.js';
import { WorkerDoor } from './application/worker-door.js';
import { ArtifactsExport } from './infrastructure/artifacts-export.js';
import { ConfiguredArtifactAddresses } from './infrastructure/configured-artifact-addresses.js';
import { InstalledGit } from './infrastructure/git/installed-git.js';
import { RealGitRepositories } from './infrastructure/git/real-git-repositories.js';
import { LibraryChecks } from './infrastructure/library-checks.js';
import { LibraryUpkeep } from './infrastructure/library-upkeep.js';
import { MyersTextDiffer } from './infrastructure/myers-text-differ.js';
import { PostgresArtifactDirectory } from './infrastructure/postgres-artifact-directory.js';
import { PostgresArtifactErasure } from './infrastructure/postgres-artifact-erasure.js';
import { PostgresArtifactRepository } from './infrastructure/postgres-artifact-repository.js';
import { PostgresBlobCollection } from './infrastructure/postgres-blob-collection.js';
import { PostgresCardLinks } from './infrastructure/postgres-card-links.js';
import { PostgresPushedTips } from './infrastructure/postgres-pushed-tips.js';
import { PostgresShelves } from './infrastructure/postgres-shelves.js';
import { PostgresWorkspaces } from './infrastructure/postgres-workspaces.js';
import { PostgresWriteLeases } from './infrastructure/postgres-write-leases.js';
import { StoredArtifactBlobs } from './infrastructure/stored-artifact-blobs.js';
import { StoredRepositoryBundles } from './infrastructure/stored-repository-bundles.js';

/** What people and agents do with artifacts that are there. */
export const libraryUseCases: Type[] = [
  ArchiveArtifact,
  UnarchiveArtifact,
  UpdateMetadata,
  DuplicateArtifact,
  RestoreVersion,
  DeleteArtifact,
  UndeleteArtifact,
  SetArtifactCards,
  EditArtifact,
  CreateWorkspace,
  ChangeWorkspace,
  ArchiveWorkspace,
  ListArtifacts,
  ListLibraryPage,
  ListDeletedArtifacts,
  ListWorkspaces,
  ListWorkspacesPage,
  GetArtifact,
  GetArtifactPage,
  GetVersionTree,
  FindVersionFile,
  GetAdminOverview,
  CheckStoredFiles,
  GetUsage,
  ReadArtifactFile,
  ExploreArtifact,
  ExploreTree,
  SearchFiles,
  ReadFiles,
  History,
  CompareVersions,
  DiffFile,
];

/** Ports of the library that the other areas of artifacts use. */
export const offeredPorts = [
  ArtifactAddresses,
  ArtifactBlobs,
  ArtifactDirectory,
  ArtifactLinks,
  ArtifactStates,
  GitRepositories,
  LibraryHooks,
  PushedTips,
  RepositoryReconciler,
  Shelves,
  VersionStore,
  WorkspaceChoice,
  WriteLeases,
];

/** What the library does when something happens elsewhere. */
export const libraryReactions = [WhenPersonDeleted, WhenCardDeleted, WhenProjectDeleted, WhenVersionStored];

/** Which adapter serves which port of the library. */
export const libraryBindings: Provider[] = [
  ArchiveMover,
  ArtifactNews,
  ArtifactReader,
  ArtifactRows,
  CommitFiles,
  LibraryHooks,
  LibraryRows,
  LinkedCards,
  RefusalRecords,
  Snapshots,
  VersionFiles,
  VersionLines,
  VersionPairs,
  WorkerDoor,
  CollectGarbage,
  PurgeArtifacts,
  TidyRepositories,
  LibraryChecks,
  LibraryUpkeep,
  { provide: GitInstallation, useClass: InstalledGit },
  { provide: ArtifactErasure, useClass: PostgresArtifactErasure },
  { provide: BlobCollection, useClass: PostgresBlobCollection },
  { provide: RepositoryBundles, useClass: StoredRepositoryBundles },
  ...libraryReactions,
  { provide: ArtifactAddresses, useClass: ConfiguredArtifactAddresses },
  { provide: ArtifactLinks, useClass: LinkingCards },
  { provide: CardLinks, useClass: PostgresCardLinks },
  { provide: TextDiffer, useClass: MyersTextDiffer },
  VersionWriter,
  RealGitRepositories,
  { provide: ArtifactBlobs, useClass: StoredArtifactBlobs },
  ArtifactsExport,
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
