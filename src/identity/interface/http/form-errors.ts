import type { HttpResponse } from '#libs/http/exchange.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { statusOf } from './pages/page.filter.js';
import type { FieldError } from './pages/parts.js';

/** Status and errors with which a form is shown again. @throws what is no refusal of the form. */
export function formErrors(
  error: unknown,
  response: HttpResponse,
): { readonly status: number; readonly errors: readonly FieldError[] } {
  if (error instanceof InvalidInput) {
    return {
      status: 422,
      errors: error.problems.map(({ argument, sentence }) => ({ field: argument, sentence })),
    };
  }
  if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
  const { retryAfterSeconds } = error.detail;
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  return { status: statusOf(error), errors: [{ field: null, sentence: error.message }] };
}
