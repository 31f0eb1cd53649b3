import type { Provider, Type } from '@nestjs/common';
import { CommitPush } from './application/commands/commit-push.js';
import { CreateArtifact } from './application/commands/create-artifact.js';
import { MintGitToken } from './application/commands/mint-git-token.js';
import { PutPushBlob } from './application/commands/put-push-blob.js';
import { PutPushBlobs } from './application/commands/put-push-blobs.js';
import { ReceiveGitPush } from './application/commands/receive-git-push.js';
import { ReceiveUpload } from './application/commands/receive-upload.js';
import { ReserveUpload } from './application/commands/reserve-upload.js';
import { ServeGit } from './application/commands/serve-git.js';
import { StartPush } from './application/commands/start-push.js';
import { TidyWaysIn } from './application/commands/tidy-ways-in.js';
import { ImportedArchive } from './application/imported-archive.js';
import { OpenPushes } from './application/open-pushes.js';
import { ArchiveReader } from './application/ports/archive-reader.js';
import { ArchiveWriter } from './application/ports/archive-writer.js';
import { GitTokens } from './application/ports/git-tokens.js';
import { GitTransport } from './application/ports/git-transport.js';
import { Pushes } from './application/ports/pushes.js';
import { Uploads } from './application/ports/uploads.js';
import { DownloadVersion } from './application/queries/download-version.js';
import { EndWaysIn } from './application/reactions/end-ways-in.js';
import { WhenGitSwitchedOff } from './application/reactions/when-git-switched-off.js';
import { SecretHolders } from './application/secret-holders.js';
import { HttpBackendTransport } from './infrastructure/git-http/http-backend-transport.js';
import { PostgresGitTokens } from './infrastructure/postgres-git-tokens.js';
import { PostgresPushes } from './infrastructure/postgres-pushes.js';
import { PostgresUploads } from './infrastructure/postgres-uploads.js';
import { WaysInUpkeep } from './infrastructure/ways-in-upkeep.js';
import { ZipArchiveReader } from './infrastructure/zip/zip-archive-reader.js';
import { ZipArchiveWriter } from './infrastructure/zip/zip-archive-writer.js';
import { GitController } from './interface/http/git.controller.js';
import { PushesController } from './interface/http/pushes.controller.js';
import { UploadsController } from './interface/http/uploads.controller.js';
import { WaysInController } from './interface/http/ways-in.controller.js';

/** The ways in which files come into artifacts: create, uploads, pushes, git. */
export const waysInUseCases: Type[] = [
  CommitPush,
  CreateArtifact,
  DownloadVersion,
  MintGitToken,
  PutPushBlob,
  PutPushBlobs,
  ReceiveUpload,
  ReserveUpload,
  StartPush,
];

export const waysInBindings: Provider[] = [
  EndWaysIn,
  ImportedArchive,
  OpenPushes,
  ReceiveGitPush,
  SecretHolders,
  ServeGit,
  TidyWaysIn,
  WaysInUpkeep,
  WhenGitSwitchedOff,
  { provide: ArchiveReader, useClass: ZipArchiveReader },
  { provide: ArchiveWriter, useClass: ZipArchiveWriter },
  { provide: GitTokens, useClass: PostgresGitTokens },
  { provide: GitTransport, useClass: HttpBackendTransport },
  { provide: Pushes, useClass: PostgresPushes },
  { provide: Uploads, useClass: PostgresUploads },
];

export const waysInControllers: Type[] = [
  GitController,
  PushesController,
  UploadsController,
  WaysInController,
];
