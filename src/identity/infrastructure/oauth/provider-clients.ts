import { Injectable } from '@nestjs/common';
import { type AdapterPayload, errors } from 'oidc-provider';
import { DomainError } from '#libs/kernel/errors.js';
import { requestFacts } from '#libs/kernel/request-context.js';
import { BlockedClients } from '../../application/ports/blocked-clients.js';
import { ClientDirectory } from '../../application/ports/client-directory.js';
import type { ClientFacts } from '../../domain/oauth-client.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Shows apps to the library as its clients. */
@Injectable()
export class ProviderClients {
  constructor(
    private readonly directory: ClientDirectory,
    private readonly blocked: BlockedClients,
  ) {}

  /**
   * `begins` at the start of a sign-in, which a blocked app cannot make; `fresh` where its document must be, else the last
   * good one serves, however old.
   * @throws an error of the library that its error page shows.
   */
  async metadataOf(
    clientId: string,
    { begins, fresh }: { readonly begins: boolean; readonly fresh: boolean },
  ): Promise<AdapterPayload | undefined> {
    if (begins && (await this.blocked.isBlocked(clientId))) {
      throw new errors.CustomOIDCProviderError(
        'invalid_client',
        'An administrator of this instance has blocked this app.',
      );
    }
    try {
      const client = fresh
        ? await this.directory.fresh(clientId, requestFacts()?.ip ?? null)
        : await this.directory.known(clientId);
      return client ? metadata(client) : undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      throw new errors.CustomOIDCProviderError('invalid_client', error.message);
    }
  }
}

function metadata(client: ClientFacts): AdapterPayload {
  const byCode = client.kind !== 'cli';
  return {
    client_id: client.clientId,
    client_name: client.name,
    // Native, so that loopback ports do not matter. The widget comes back to this instance itself, wherever that is.
    application_type: client.kind === 'widget' ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    redirect_uris: [...client.redirectUris],
    response_types: byCode ? ['code'] : [],
    grant_types: [byCode ? 'authorization_code' : DEVICE_GRANT, 'refresh_token'],
  };
}
