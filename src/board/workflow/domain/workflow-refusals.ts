import { DomainError } from '#libs/kernel/errors.js';

/** The same at every door for a project that follows no template. */
export function noWorkflow(): DomainError {
  return new DomainError(
    'not-found',
    'no_workflow',
    'This project has no workflow yet. The owner picks a workflow template when they create the project.',
  );
}
