import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { codePoints } from '#libs/kernel/text.js';
import { unknownWorkspace } from '../choosing-workspaces.js';
import { Workspaces } from '../ports/workspaces.js';
import { type ArtifactRow, ArtifactRows, listRow, searchWords } from './artifact-rows.js';

export const ARTIFACT_TYPES: readonly string[] = ['app', 'markdown', 'asset'];
export const SEARCH_MAX = 200;

export interface ListArtifactsInput {
  readonly projectId: string;
  readonly page?: number | null;
  readonly perPage?: number | null;
  readonly includeArchived?: boolean | null;
  readonly workspaceId?: string | null;
  readonly artifactType?: string | null;
  readonly search?: string | null;
}

export interface ArtifactList {
  readonly artifacts: readonly ArtifactRow[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
}

/** Artifacts of the project, newest first. @throws InvalidInput for an unknown workspace or type. */
@Injectable()
export class ListArtifacts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly rows: ArtifactRows,
    private readonly workspaces: Workspaces,
  ) {}

  async execute(actor: Actor, input: ListArtifactsInput): Promise<ArtifactList> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    // A blank filter is none, as in every list.
    const artifactType = input.artifactType || undefined;
    const problems = new Problems();
    if (artifactType !== undefined && !ARTIFACT_TYPES.includes(artifactType)) {
      problems.add('artifactType', `must be one of ${ARTIFACT_TYPES.join(', ')}`);
    }
    if (codePoints(input.search ?? '') > SEARCH_MAX) {
      problems.add('search', `must be at most ${SEARCH_MAX} characters`);
    }
    problems.throwIfAny();
    const forAgents = actor.kind === 'connection';
    const workspaceId = input.workspaceId?.toLowerCase() || undefined;
    if (workspaceId !== undefined) await this.requireWorkspace(projectId, workspaceId, forAgents);
    const { page, perPage } = clampPage(input.page ?? undefined, input.perPage ?? undefined);
    const found = await this.rows.read({
      projectId,
      archived: input.includeArchived ? 'with' : 'without',
      workspaceId,
      artifactType,
      words: searchWords(input.search),
      forAgents,
      limit: perPage + 1,
      offset: (page - 1) * perPage,
    });
    return {
      artifacts: found.slice(0, perPage).map(listRow),
      page,
      perPage,
      hasMore: found.length > perPage,
    };
  }

  private async requireWorkspace(projectId: string, workspaceId: string, forAgents: boolean): Promise<void> {
    const all = await this.workspaces.ofProject(projectId);
    const found = all.find(({ id }) => id === workspaceId);
    if (!found || (forAgents && found.state.agentAccess === 'none')) throw unknownWorkspace();
  }
}
