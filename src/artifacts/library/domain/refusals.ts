import { conflict, DomainError, forbidden, notFound } from '#libs/kernel/errors.js';

/** Sentences of `artifacts.md` 6, each in one place. */
export const artifactNotFound = (): DomainError => notFound('Artifact');

export const artifactArchived = (): DomainError =>
  conflict('archived', 'Artifact is archived. Call artifact_unarchive first.');

export const artifactBusy = (): DomainError =>
  conflict('busy', 'Artifact is being changed by another writer. Try again in a few seconds.');

export const stillGenerating = (): DomainError =>
  conflict('generating', 'Artifact is still generating. Call artifact_status with wait true.');

export const readOnlyWorkspace = (name: string): DomainError =>
  forbidden(
    `Agents may only read in workspace ${name}. Ask the owner or a maintainer of the project to change its access.`,
    'workspace_read_only',
  );

export const workerStores = (): DomainError =>
  forbidden(
    'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.',
    'worker_session',
  );

export const noGit = (): DomainError =>
  new DomainError(
    'unavailable',
    'unavailable',
    'Artifacts cannot be stored: git 2.34 or newer is not installed on the server. Ask the admin.',
  );

export const damagedFile = (): DomainError =>
  new DomainError('unavailable', 'unavailable', 'A stored file is damaged.');

/** @param what the sentence that names the limit, the value and the argument. */
export const overLimit = (what: string): DomainError => conflict('limit', what);

export const revisionConflict = (
  currentRevision: string | null,
  changedSinceBase: readonly string[],
): DomainError =>
  conflict(
    'revision_conflict',
    `baseRevision is not the latest revision${changedSinceBase.length > 0 ? `; since then changed: ${listed(changedSinceBase)}` : ''}. Read the files again and repeat the edit on ${currentRevision ?? 'the latest version'}.`,
    { facts: { currentRevision, changedSinceBase } },
  );

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}

export const unknownVersion = (version: number, latest: number | null): DomainError =>
  new DomainError(
    'not-found',
    'not_found',
    latest === null
      ? `version ${version} does not exist; there is none yet.`
      : `version ${version} does not exist; the latest is ${latest}.`,
    { argument: 'version' },
  );
