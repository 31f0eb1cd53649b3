import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError, Problems } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Privacy } from '../../domain/artifact-types.js';
import { artifactNotFound } from '../../domain/refusals.js';
import { readDescription, readName } from '../../domain/texts.js';
import { ArtifactNews } from '../artifact-news.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { ArtifactRepository } from '../ports/artifact-repository.js';
import { WorkspaceChoice } from '../ports/workspace-choice.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';

export interface UpdateMetadataInput extends NamedArtifact {
  readonly projectId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly privacy?: string | null;
  readonly workspaceId?: string | null;
  /** The edit that the caller saw; another one is a conflict. Left out: the last write wins. */
  readonly edit?: number | null;
}

export interface UpdatedMetadata {
  readonly success: true;
  readonly message: string;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly description: string;
  readonly privacy: Privacy;
  readonly workspaceId: string;
}

const NOTHING = 'Nothing changed.';

/** Changes what stands around the files. @throws InvalidInput; DomainError `archived`, `stale`, `switched_off`. */
@Injectable()
export class UpdateMetadata {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly access: ProjectAccess,
    private readonly directory: ArtifactDirectory,
    private readonly workers: WorkerDoor,
    private readonly workspaces: WorkspaceChoice,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactRepository,
    private readonly news: ArtifactNews,
    private readonly flags: Flags,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: UpdateMetadataInput): Promise<UpdatedMetadata> {
    const attempt = {
      operation: 'artifact.metadata_updated',
      projectId: input.projectId,
      artifactId: input.artifactId ?? input.sessionId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: UpdateMetadataInput): Promise<UpdatedMetadata> {
    await this.access.require(actor, input.projectId, 'contribute');
    const artifactId = artifactIdOf(input);
    const problems = new Problems();
    const wanted = {
      ...(input.name == null ? {} : { name: readName(problems, 'name', input.name) }),
      ...(input.description == null
        ? {}
        : { description: readDescription(problems, 'description', input.description) }),
      ...(input.privacy == null ? {} : { privacy: readPrivacy(problems, input.privacy) }),
    };
    if (Object.keys(wanted).length === 0 && input.workspaceId == null) {
      problems.add('name', 'Pass name, description, privacy or workspaceId.');
    }
    problems.throwIfAny();
    await this.workers.refuseWorkers(actor);
    const facts = await this.directory.require(actor, artifactId, 'write', input.projectId);
    if (wanted.privacy === 'public' && facts.privacy !== 'public') this.requirePublicLinks();
    const workspaceId =
      input.workspaceId == null || input.workspaceId.toLowerCase() === facts.workspaceId
        ? undefined
        : await this.workspaces.choose(actor, input.projectId, input.workspaceId);
    return this.unitOfWork.run(async () => {
      const artifact = await this.artifacts.lock(artifactId);
      if (!artifact || artifact.deleted) throw artifactNotFound();
      if (input.edit != null && input.edit !== artifact.state.edit) {
        throw conflict(
          'stale',
          'Somebody changed this artifact meanwhile. Look at it again and repeat the change.',
        );
      }
      const changed = artifact.change(
        { ...wanted, ...(workspaceId === undefined ? {} : { workspaceId }) },
        this.clock.now(),
      );
      if (changed.length > 0) {
        await this.artifacts.save(artifact);
        const fields = changed.filter((field) => field !== 'workspaceId');
        await this.news.tell(actor, artifact, {
          events: [{ type: 'ArtifactMetadataChanged', payload: { fields: changed } }],
          audit: [
            ...(fields.length > 0 ? [{ operation: 'artifact.metadata_updated', context: { fields } }] : []),
            ...(fields.length < changed.length
              ? [{ operation: 'artifact.moved', context: { from: facts.workspaceId, to: workspaceId } }]
              : []),
          ],
          live: ['artifact', 'list'],
        });
      }
      const { name, description, privacy, workspaceId: place } = artifact.state;
      return {
        success: true,
        message: changed.length === 0 ? NOTHING : `Changed: ${changed.join(', ')}.`,
        artifactId,
        sessionId: artifactId,
        name,
        description,
        privacy,
        workspaceId: place,
      };
    });
  }

  private requirePublicLinks(): void {
    if (this.flags.isOn('artifacts.public_links.enabled')) return;
    throw new DomainError('switched-off', 'switched_off', 'Public links are switched off on this instance.');
  }
}

function readPrivacy(problems: Problems, given: string): Privacy {
  if (given === 'public' || given === 'private') return given;
  problems.add('privacy', 'must be private or public');
  return 'private';
}
