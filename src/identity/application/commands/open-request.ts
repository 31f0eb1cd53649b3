import { conflict, DomainError } from '#libs/kernel/errors.js';
import type {
  AuthorizationRequest,
  RequestReference,
  RequestState,
} from '../ports/authorization-requests.js';

/** What the device page says of a code that is wrong, expired or used: always the same. */
export const CODE_REFUSED = 'This code is not valid. Start again on the device to get a new one.';

/** The request when it waits for an answer. @throws DomainError that says what to do instead. */
export function openRequest(found: RequestState, kind: RequestReference['kind']): AuthorizationRequest {
  if (found.state === 'open') return found.request;
  if (kind === 'device') {
    throw new DomainError('invalid', 'code_refused', CODE_REFUSED, { argument: 'user_code' });
  }
  if (found.state === 'answered') {
    throw conflict('already_answered', 'This request was already answered.');
  }
  throw conflict('request_expired', 'This request expired. Start again in the app.');
}
