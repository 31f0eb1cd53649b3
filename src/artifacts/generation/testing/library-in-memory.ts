import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import type { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import type { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { ArtifactBlob, ArtifactBlobs } from '../../library/application/ports/artifact-blobs.js';
import type { ArtifactDirectory, ArtifactFacts } from '../../library/application/ports/artifact-directory.js';
import type { ArtifactStates } from '../../library/application/ports/artifact-states.js';
import type {
  NewArtifact,
  StoredVersion,
  VersionStore,
  VersionToStore,
} from '../../library/application/ports/version-store.js';
import type { WorkspaceChoice } from '../../library/application/ports/workspace-choice.js';

export interface KeptArtifact extends NewArtifact {
  status: 'generating' | 'ready' | 'failed';
  error: string | null;
  shownName: string;
  /** Path to text, of each version. */
  readonly versions: Record<string, string>[];
}

/** What generation needs of the library, in memory; with `stop` a store can be made to fail at its last step. */
export class LibraryInMemory {
  readonly artifacts = new Map<string, KeptArtifact>();
  private readonly contents = new Map<string, Buffer>();
  /** Thrown by the next store, inside its transaction, before its rows are kept. */
  stop: Error | null = null;

  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  get only(): KeptArtifact {
    const [first, ...others] = this.artifacts.values();
    if (!first || others.length > 0) throw new Error(`There are ${this.artifacts.size} artifacts.`);
    return first;
  }

  readonly workspaces: Pick<WorkspaceChoice, 'choose'> = {
    choose: async (_actor, _project, workspaceId) => workspaceId ?? '00000000-0000-7000-8000-00000000aaaa',
  };

  readonly states: Pick<ArtifactStates, 'addGenerating' | 'generateAgain' | 'succeed' | 'fail'> = {
    addGenerating: async (_actor, artifact) => {
      this.unitOfWork.requireTransaction();
      const started = { status: 'generating', error: null, versions: [], shownName: artifact.name } as const;
      // As a row would: it is there once the transaction is through.
      this.unitOfWork.afterCommit(() => {
        this.artifacts.set(artifact.artifactId, { ...artifact, ...started, versions: [] });
      });
    },
    generateAgain: async (id) => this.change(id, { status: 'generating', error: null }),
    succeed: async (id, shownName) => this.change(id, { status: 'ready', error: null, shownName }),
    fail: async (id, error) => this.change(id, { status: 'failed', error }),
  };

  readonly directory: Pick<ArtifactDirectory, 'require'> = {
    require: async (actor: Actor, artifactId, wanted, projectId) => {
      const found = this.artifacts.get(artifactId);
      if (!found || (projectId && found.projectId !== projectId)) throw notFound('Artifact');
      await this.access.require(
        actor,
        found.projectId,
        wanted === 'read' ? 'read' : 'contribute',
        'Artifact',
      );
      return {
        ...found,
        name: found.shownName,
        privacy: 'private',
        latestVersion: found.versions.length || null,
        headRevision: found.versions.length > 0 ? 'f'.repeat(40) : null,
        latestEntryPath: null,
        previewEpoch: 1,
        archived: false,
      } satisfies ArtifactFacts & KeptArtifact;
    },
  };

  readonly blobs: Pick<ArtifactBlobs, 'put'> = {
    put: async (content, { maxBytes }) => {
      const bytes = content instanceof Uint8Array ? Buffer.from(content) : await buffer(content as Readable);
      if (bytes.length > maxBytes) throw conflict('limit', 'A file is too large.');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      this.contents.set(sha256, bytes);
      return { sha256, bytes: bytes.length, kind: 'text', sniffedType: null } satisfies ArtifactBlob;
    },
  };

  readonly versions: Pick<VersionStore, 'store'> = {
    store: async (version: VersionToStore): Promise<StoredVersion> => {
      const { target } = version;
      if (!('artifactId' in target)) throw new Error('Generation makes no artifact by storing one.');
      const files = Object.fromEntries(
        version.files.map(({ path, blob }) => [path, this.contents.get(blob.sha256)!.toString()]),
      );
      return this.unitOfWork.run(async () => {
        const stored: StoredVersion = {
          artifactId: target.artifactId,
          projectId: this.artifacts.get(target.artifactId)!.projectId,
          version: 1,
          revision: 'f'.repeat(40),
          previousRevision: null,
          unchanged: false,
          entryPath: 'index.html',
          fileCount: version.files.length,
          totalBytes: 0,
          skippedFiles: [],
          changedFiles: [],
        };
        await version.inTransaction?.(stored);
        if (this.stop) {
          const stop = this.stop;
          this.stop = null;
          throw stop;
        }
        this.unitOfWork.afterCommit(() => {
          this.artifacts.get(target.artifactId)!.versions.push(files);
        });
        return stored;
      });
    },
  };

  private async change(id: string, to: Partial<KeptArtifact>): Promise<void> {
    this.unitOfWork.requireTransaction();
    this.unitOfWork.afterCommit(() => {
      Object.assign(this.artifacts.get(id)!, to);
    });
  }
}
