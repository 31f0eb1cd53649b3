import { errors } from 'oidc-provider';
import { DomainError } from '#libs/kernel/errors.js';

/** What the error page says: the library's codes in words that a person can act on. */
export function errorSentence(
  out: { readonly error: string; readonly error_description?: string },
  error: Error,
  traceId: string | null,
): string {
  if (error instanceof DomainError && error.kind === 'unavailable') return error.message;
  if (out.error === 'server_error') {
    return `Something went wrong on the server. Reference: ${traceId ?? 'none'}`;
  }
  if (error instanceof errors.SessionNotFound) return 'This request expired. Start again in the app.';
  if (error instanceof errors.CustomOIDCProviderError)
    return out.error_description ?? 'The app cannot be used.';
  switch (out.error) {
    case 'invalid_redirect_uri':
      return 'The app wants its answer at an address that it has not registered. Nothing was sent there.';
    case 'invalid_client':
      return 'This app is not known here. Its client id must be the address of its metadata document.';
    case 'invalid_client_metadata':
      return 'What the app says about itself cannot be used.';
    default:
      return `The app sent a request that cannot be answered: ${out.error_description ?? out.error}.`;
  }
}
