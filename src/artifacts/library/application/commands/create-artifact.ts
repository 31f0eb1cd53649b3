import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import type { ArtifactType, Framework, SkippedFile } from '../../domain/artifact-types.js';
import {
  type CreationRequest,
  type GivenCreation,
  readCreationRequest,
} from '../../domain/creation-request.js';
import { sortFileSet } from '../../domain/file-set-policy.js';
import { detectFramework, requireContentOf } from '../../domain/imported-files.js';
import { countHourly } from '../hourly-limit.js';
import { type FullUpload, ImportedArchive, type ImportedFiles } from '../imported-archive.js';
import { makerOf } from '../makers.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import type { GitAccess } from '../ports/git-tokens.js';
import { Uploads } from '../ports/uploads.js';
import { type CandidateFile, type StoredVersion, VersionStore } from '../ports/version-store.js';
import { WorkspaceChoice } from '../ports/workspace-choice.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';
import { MintGitToken } from './mint-git-token.js';

const PREVIEW_CHARACTERS = 4_000;
const MANIFEST_BYTES = 1024 * 1024;

export interface CreateArtifactInput extends GivenCreation {
  readonly projectId: string;
}

/** The answer of `artifact_create` for own code (`artifacts.md` 7.1). */
export interface CreatedArtifact {
  readonly success: true;
  readonly status: 'ready';
  readonly sessionId: string;
  readonly artifactId: string;
  readonly version: number;
  /** The first commit; null for an asset. Valid as `baseRevision`. */
  readonly revision: string | null;
  readonly name: string;
  readonly artifactType: ArtifactType;
  readonly framework: Framework | null;
  readonly artifactUrl: string;
  readonly playgroundUrl?: string;
  readonly previewUrl?: string;
  readonly gitRemoteUrl?: string;
  readonly access?: GitAccess;
  readonly expiresAt?: Date;
  readonly fileCount?: number;
  readonly skippedFiles?: readonly SkippedFile[];
  readonly documentPreview?: string;
  readonly documentPreviewTruncated?: boolean;
  readonly notes: readonly string[];
  readonly nextSteps: readonly string[];
}

/**
 * A new artifact of own code: `empty` or `import`. Each call makes another one.
 * @throws InvalidInput that names every wrong argument; DomainError `limit`, `rate-limited`, `forbidden`, `not-found`.
 * Then nothing was made, and an upload stays as it was.
 */
@Injectable()
export class CreateArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workers: WorkerDoor,
    private readonly workspaces: WorkspaceChoice,
    private readonly limits: RateLimiter,
    private readonly flags: Flags,
    private readonly blobs: ArtifactBlobs,
    private readonly archive: ImportedArchive,
    private readonly uploads: Uploads,
    private readonly blobStore: BlobStore,
    private readonly versions: VersionStore,
    private readonly addresses: ArtifactAddresses,
    private readonly mintToken: MintGitToken,
    private readonly refusals: RefusalRecords,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  execute(actor: Actor, input: CreateArtifactInput): Promise<CreatedArtifact> {
    const attempt = { operation: 'artifact.created', projectId: input.projectId };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: CreateArtifactInput): Promise<CreatedArtifact> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    await this.workers.refuseWorkers(actor);
    const request = readCreationRequest(input);
    const workspaceId = await this.workspaces.choose(actor, projectId, request.workspaceId);
    const personId = personIdOf(actor);
    const upload =
      request.zipUploadId === null
        ? null
        : await this.archive.upload(request.zipUploadId, projectId, personId, request.artifactType);
    await countHourly(
      this.limits,
      this.flags,
      'artifacts.creates_per_hour',
      personId ?? projectId,
      'new artifacts',
    );
    const { files, skipped } = await this.filesOf(request, upload);
    const { framework, note } = await this.frameworkOf(request, files);
    const stored = sortFileSet(files.map((file) => ({ ...file, sniffedType: file.blob.sniffedType }))).stored;
    if (request.type === 'import') {
      requireContentOf(
        request.artifactType,
        framework,
        stored.map(({ path, entry }) => ({ path, ...entry.blob })),
        upload ? 'zipUploadId' : 'files',
      );
    }
    const version = await this.store(
      actor,
      { ...request, framework },
      { files, skipped },
      workspaceId,
      input,
      upload,
    );
    if (upload) await this.blobStore.delete(upload.blobKey).catch(() => undefined);
    return this.answer(actor, projectId, { ...request, framework }, version, note);
  }

  private async filesOf(request: CreationRequest, upload: FullUpload | null): Promise<ImportedFiles> {
    if (upload) return this.archive.filesOf(upload);
    const texts = request.files ?? new Map([['README.md', seedOf(request.name)]]);
    if (request.files) this.checkInline(request.files);
    const maxBytes = this.flags.int('artifacts.file_max_bytes');
    const files: CandidateFile[] = [];
    for (const [path, text] of texts) {
      files.push({ path, blob: await this.blobs.put(Buffer.from(text, 'utf8'), { maxBytes }) });
    }
    return { files, skipped: [] };
  }

  private checkInline(files: ReadonlyMap<string, string>): void {
    const refuse = (sentence: string): never => {
      throw new DomainError('conflict', 'limit', sentence, { argument: 'files' });
    };
    const maxFiles = this.flags.int('artifacts.inline_max_files');
    if (files.size > maxFiles) {
      refuse(
        `files holds ${files.size} entries; the limit is ${maxFiles}. Send a zip: call artifact_get_zip_upload_url.`,
      );
    }
    let bytes = 0;
    for (const text of files.values()) bytes += Buffer.byteLength(text);
    const maxBytes = this.flags.int('artifacts.inline_max_bytes');
    if (bytes > maxBytes) {
      refuse(
        `files holds ${bytes} bytes of text; the limit is ${maxBytes}. Send a zip: call artifact_get_zip_upload_url.`,
      );
    }
  }

  private async frameworkOf(
    request: CreationRequest,
    files: readonly CandidateFile[],
  ): Promise<{ framework: Framework | null; note: string | null }> {
    if (request.artifactType !== 'app' || request.framework !== null)
      return { framework: request.framework, note: null };
    const manifest = files.find(({ path }) => path === 'package.json');
    if (!manifest) return detectFramework(null);
    if (manifest.blob.kind !== 'text' || manifest.blob.bytes > MANIFEST_BYTES) return detectFramework('');
    return detectFramework((await this.blobs.read(manifest.blob.sha256, MANIFEST_BYTES)).toString('utf8'));
  }

  private async store(
    actor: Actor,
    request: CreationRequest,
    { files, skipped }: ImportedFiles,
    workspaceId: string,
    { projectId }: CreateArtifactInput,
    upload: FullUpload | null,
  ): Promise<StoredVersion> {
    const { artifactType, name, description, framework, type } = request;
    return this.versions.store({
      target: {
        create: {
          artifactId: this.ids.next(),
          projectId,
          workspaceId,
          name,
          description,
          artifactType,
          framework,
          origin: type,
          entryWish: null,
        },
      },
      files,
      skipped,
      notes: '',
      source: type === 'empty' ? 'seed' : 'import',
      maker: makerOf(actor),
      actor,
      inTransaction: async ({ artifactId }) => {
        if (!upload) return;
        const mine = await this.uploads.consume(upload.id, upload.blobKey, artifactId, this.clock.now());
        if (!mine) throw await this.archive.lost(upload.id);
      },
    });
  }

  private async answer(
    actor: Actor,
    projectId: string,
    request: CreationRequest,
    stored: StoredVersion,
    note: string | null,
  ): Promise<CreatedArtifact> {
    const { artifactId, version, revision } = stored;
    const { artifactType, name, framework, type } = request;
    const git = artifactType === 'asset' ? null : await this.tokenOf(actor, artifactId);
    return {
      success: true,
      status: 'ready',
      sessionId: artifactId,
      artifactId,
      version,
      revision,
      name,
      artifactType,
      framework,
      artifactUrl: this.addresses.page(projectId, artifactId),
      ...(artifactType === 'app' ? { playgroundUrl: this.addresses.playground(projectId, artifactId) } : {}),
      ...(artifactType === 'asset' ? {} : { previewUrl: this.addresses.preview(artifactId) }),
      ...git?.fields,
      ...(type === 'import' ? { fileCount: stored.fileCount, skippedFiles: stored.skippedFiles } : {}),
      ...documentPreview(request, stored.entryPath),
      notes: note === null ? [] : [note],
      nextSteps: nextStepsOf(artifactType, git),
    };
  }

  /** The artifact is made, so a token that cannot be minted is told and is no failure. */
  private async tokenOf(
    actor: Actor,
    artifactId: string,
  ): Promise<{
    readonly fields: Pick<CreatedArtifact, 'gitRemoteUrl' | 'access' | 'expiresAt'> | null;
    readonly why: string | null;
  }> {
    try {
      const { gitRemoteUrl, access, expiresAt } = await this.mintToken.execute(actor, { artifactId });
      return { fields: { gitRemoteUrl, access, expiresAt }, why: null };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { fields: null, why: error.message };
    }
  }
}

function seedOf(name: string): string {
  return `# ${name}

This artifact is empty so far. To fill it over git:

1. Clone it: \`git clone <gitRemoteUrl>\` (artifact_create and artifact_get_git_token give the address).
2. Add your files, an \`index.html\` first of all for an app, and commit them.
3. Push to \`main\`: each push makes one version.
`;
}

function documentPreview(
  { artifactType, files }: CreationRequest,
  entryPath: string | null,
): Pick<CreatedArtifact, 'documentPreview' | 'documentPreviewTruncated'> {
  const text = artifactType === 'markdown' && entryPath !== null ? files?.get(entryPath) : undefined;
  if (text === undefined) return {};
  const characters = [...text];
  return {
    documentPreview: characters.slice(0, PREVIEW_CHARACTERS).join(''),
    documentPreviewTruncated: characters.length > PREVIEW_CHARACTERS,
  };
}

function nextStepsOf(
  type: ArtifactType,
  git: { readonly fields: object | null; readonly why: string | null } | null,
): string[] {
  if (type === 'asset') return ['Give the person artifactUrl.'];
  return [
    'Give the person previewUrl.',
    'Change files with artifact_edit, with revision as baseRevision.',
    git?.fields
      ? 'Or clone gitRemoteUrl, commit, and push to main. The address holds a secret: do not show it.'
      : `Git access was not given: ${git?.why} Call artifact_get_git_token later for it.`,
  ];
}
