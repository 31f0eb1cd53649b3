import type { CommandContext } from '../core/context.js';
import { wrongUse } from '../core/failure.js';
import { projectOf } from '../core/project-choice.js';

export interface ListOptions {
  readonly project?: string;
  readonly search?: string;
  readonly archived?: boolean;
  readonly page: string;
}

interface ArtifactPage {
  readonly artifacts: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly artifactType: string;
    readonly status: string;
    readonly latestVersion: number | null;
    readonly fileCount: number | null;
    readonly archived: boolean;
  }[];
  readonly page: number;
  readonly hasMore: boolean;
}

/** `loupe artifact list`: artifacts of the project, newest first. */
export async function artifactList(context: CommandContext, options: ListOptions): Promise<void> {
  const { terminal } = context;
  const page = Number(options.page);
  if (!Number.isInteger(page) || page < 1)
    throw wrongUse(`"${options.page}" is no page`, 'give a number from 1');
  const api = context.api();
  const projectId = await projectOf(context, api, options.project);
  const query = new URLSearchParams({ page: String(page) });
  if (options.search) query.set('search', options.search);
  if (options.archived) query.set('archived', 'true');
  const found = await api.call<ArtifactPage>(`/api/projects/${projectId}/artifacts?${query}`);
  for (const {
    artifactId,
    name,
    artifactType,
    status,
    latestVersion,
    fileCount,
    archived,
  } of found.artifacts) {
    const version = latestVersion === null ? status : `version ${latestVersion}, ${fileCount ?? 0} files`;
    terminal.result(`${artifactId}  ${name}  (${artifactType}, ${version}${archived ? ', archived' : ''})`);
  }
  if (found.artifacts.length === 0) terminal.result('No artifacts.');
  if (found.hasMore) terminal.note(`There are more: loupe artifact list --page ${page + 1}`);
  terminal.report(found);
}
