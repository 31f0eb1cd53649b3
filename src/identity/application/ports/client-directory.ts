import type { ClientFacts } from '../../domain/oauth-client.js';

/** The apps that may sign in: built in, or known by their metadata document. */
export abstract class ClientDirectory {
  /**
   * For the start of a sign-in: reads the document again when it is not fresh.
   * @throws DomainError `invalid` with a sentence that says why the app cannot be used.
   */
  abstract fresh(clientId: string, ip: string | null): Promise<ClientFacts>;
  /** From what is known, however old; null for an app that was never read. No fetch. */
  abstract known(clientId: string): Promise<ClientFacts | null>;
}
