import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { stillGenerating } from '../../domain/refusals.js';
import { cutName, NAME_MAX, readName } from '../../domain/texts.js';
import { ArtifactNews } from '../artifact-news.js';
import { makerOf } from '../makers.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { ArtifactRepository } from '../ports/artifact-repository.js';
import { VersionStore } from '../ports/version-store.js';
import { WorkspaceChoice } from '../ports/workspace-choice.js';
import { RefusalRecords } from '../refusal-records.js';
import { VersionFiles } from '../version-files.js';
import { WorkerDoor } from '../worker-door.js';

export interface DuplicateArtifactInput extends NamedArtifact {
  readonly projectId: string;
  readonly name?: string | null;
  readonly workspaceId?: string | null;
}

export interface DuplicatedArtifact {
  readonly success: true;
  readonly sessionId: string;
  readonly artifactId: string;
  readonly sourceSessionId: string;
  readonly name: string;
  readonly revision: string | null;
  readonly artifactUrl: string;
  readonly playgroundUrl: string | null;
  readonly previewUrl: string | null;
  readonly nextSteps: readonly string[];
}

const SUFFIX = ' (Copy)';

/**
 * A new artifact whose first version has the files of the latest one of another: no history, no links, not published,
 * private. Each call makes one more. @throws InvalidInput; DomainError `not-found`, `forbidden`, `limit`.
 */
@Injectable()
export class DuplicateArtifact {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly access: ProjectAccess,
    private readonly directory: ArtifactDirectory,
    private readonly artifacts: ArtifactRepository,
    private readonly workers: WorkerDoor,
    private readonly workspaces: WorkspaceChoice,
    private readonly files: VersionFiles,
    private readonly versions: VersionStore,
    private readonly news: ArtifactNews,
    private readonly addresses: ArtifactAddresses,
    private readonly ids: Ids,
  ) {}

  async execute(actor: Actor, input: DuplicateArtifactInput): Promise<DuplicatedArtifact> {
    const attempt = {
      operation: 'artifact.duplicated',
      projectId: input.projectId,
      artifactId: input.artifactId ?? input.sessionId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: DuplicateArtifactInput): Promise<DuplicatedArtifact> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const sourceId = artifactIdOf(input);
    const problems = new Problems();
    const wanted = input.name == null ? null : readName(problems, 'name', input.name);
    problems.throwIfAny();
    await this.workers.refuseWorkers(actor);
    const source = await this.directory.require(actor, sourceId, 'read', projectId);
    if (source.latestVersion === null) {
      if (source.status === 'generating') throw stillGenerating();
      throw conflict('no_version', 'Artifact has no version yet, so there is nothing to duplicate.');
    }
    const workspaceId = await this.workspaces.choose(actor, projectId, input.workspaceId ?? undefined);
    const name =
      wanted ?? `${cutName([...source.name].slice(0, NAME_MAX - SUFFIX.length).join(''))}${SUFFIX}`;
    const stored = await this.store(actor, source, name, workspaceId);
    const { artifactId } = stored;
    const { artifactType } = source;
    return {
      success: true,
      sessionId: artifactId,
      artifactId,
      sourceSessionId: sourceId,
      name,
      revision: stored.revision,
      artifactUrl: this.addresses.page(projectId, artifactId),
      playgroundUrl: artifactType === 'app' ? this.addresses.playground(projectId, artifactId) : null,
      previewUrl: artifactType === 'asset' ? null : this.addresses.preview(artifactId),
      nextSteps: ['Change the copy with artifact_edit; its baseRevision is revision.'],
    };
  }

  private async store(actor: Actor, source: ArtifactFacts, name: string, workspaceId: string) {
    const version = await this.directory.version(source.artifactId, source.latestVersion!);
    const whole = await this.artifacts.find(source.artifactId);
    const { state } = whole!;
    return this.versions.store({
      target: {
        create: {
          artifactId: this.ids.next(),
          projectId: source.projectId,
          workspaceId,
          name,
          description: state.description,
          artifactType: source.artifactType,
          framework: source.framework,
          origin: 'duplicate',
          entryWish: version!.entryPath,
        },
      },
      files: await this.files.of(version!.versionId),
      notes: `Copy of ${source.name}`,
      source: 'duplicate',
      maker: makerOf(actor),
      actor,
      inTransaction: (stored) =>
        this.news.tell(
          actor,
          { id: stored.artifactId, projectId: source.projectId },
          { audit: [{ operation: 'artifact.duplicated', context: { from: source.artifactId } }] },
        ),
    });
  }
}
