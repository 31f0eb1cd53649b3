import { conflict, type DomainError } from '#libs/kernel/errors.js';

/** Archived documents are read, not worked on. */
export function archived(by: 'agent' | 'person'): DomainError {
  return conflict(
    'archived',
    by === 'agent'
      ? 'The document is archived. Call document_unarchive first.'
      : 'The document is archived. Unarchive it first.',
    { argument: 'documentId' },
  );
}

/** A page that a revision overtook. */
export function staleVersion(currentVersion: number): DomainError {
  return conflict(
    'stale_version',
    `Version ${currentVersion} has arrived meanwhile. Nothing was saved: open it and try again.`,
    { facts: { currentVersion } },
  );
}

/** A comment of an older version, named by an agent. `current` is what its thread is called now, when it goes on. */
export function supersededComment(
  commentId: string,
  belongsTo: number,
  currentVersion: number,
  current: string | null,
): DomainError {
  return conflict(
    'stale_version',
    `Comment ${commentId} belongs to version ${belongsTo}, and the document is at version ${currentVersion}. ` +
      `Call document_get_review for current ids.${current === null ? '' : ` This thread is now ${current}.`}`,
    { argument: 'commentId', facts: { currentVersion, ...(current !== null && { current }) } },
  );
}
