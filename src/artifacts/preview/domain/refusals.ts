import { conflict, DomainError, forbidden } from '#libs/kernel/errors.js';

/** Sentences of `artifacts.md` 6 that this area says too. */
export const archived = (): DomainError =>
  conflict('archived', 'Artifact is archived. Call artifact_unarchive first.');

export const generating = (): DomainError =>
  conflict('generating', 'Artifact is still generating. Call artifact_status with wait true.');

export const unknownVersion = (version: number, latest: number): DomainError =>
  new DomainError('not-found', 'not_found', `version ${version} does not exist; the latest is ${latest}.`, {
    argument: 'version',
  });

export const workerStores = (): DomainError =>
  forbidden(
    'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.',
    'worker_session',
  );
