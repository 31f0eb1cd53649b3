import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { BlockClient } from './application/commands/block-client.js';
import { DenyConnection } from './application/commands/deny-connection.js';
import { GrantConnection } from './application/commands/grant-connection.js';
import { LabelConnection } from './application/commands/label-connection.js';
import { NoteClientInfo } from './application/commands/note-client-info.js';
import { RevokeConnections } from './application/commands/revoke-connections.js';
import { RevokeConnectionsOfClient } from './application/commands/revoke-connections-of-client.js';
import { RevokeOwnConnection } from './application/commands/revoke-own-connection.js';
import { RevokeOwnConnections } from './application/commands/revoke-own-connections.js';
import { UnblockClient } from './application/commands/unblock-client.js';
import { AccessTokens } from './application/ports/access-tokens.js';
import { AuthorizationErrorPage } from './application/ports/authorization-error-page.js';
import { AuthorizationRequests } from './application/ports/authorization-requests.js';
import { BlockedClients } from './application/ports/blocked-clients.js';
import { ClientDirectory } from './application/ports/client-directory.js';
import { ConnectionDirectory } from './application/ports/connection-directory.js';
import { Connections } from './application/ports/connections.js';
import { DescribeRequest } from './application/queries/describe-request.js';
import { GetConnectionOwner } from './application/queries/get-connection-owner.js';
import { ListApps } from './application/queries/list-apps.js';
import { ListConnections } from './application/queries/list-connections.js';
import { LookUpDeviceCode } from './application/queries/look-up-device-code.js';
import { ResolveActorFromToken } from './application/queries/resolve-actor-from-token.js';
import { ResolveRequestProject } from './application/queries/resolve-request-project.js';
import { RevokeConnectionsOfProject } from './application/reactions/revoke-connections-of-project.js';
import { TellOfReuse } from './application/reactions/tell-of-reuse.js';
import { SiteReviewCheck } from './application/site-review-check.js';
import { ArtefactStore } from './infrastructure/oauth/artefact-store.js';
import { AudienceCheck } from './infrastructure/oauth/audience-check.js';
import { AuthorizationServer } from './infrastructure/oauth/authorization-server.js';
import { GrantReader } from './infrastructure/oauth/grant-reader.js';
import { GuardedFetch } from './infrastructure/oauth/guarded-fetch.js';
import { OAuthProvider } from './infrastructure/oauth/oauth-provider.js';
import { ProviderAuthorizationRequests } from './infrastructure/oauth/provider-authorization-requests.js';
import { ProviderClients } from './infrastructure/oauth/provider-clients.js';
import { PurgeArtefacts } from './infrastructure/oauth/purge-artefacts.js';
import { SigningKey } from './infrastructure/oauth/signing-key.js';
import { SqlBlockedClients } from './infrastructure/oauth/sql-blocked-clients.js';
import { SqlConnectionDirectory } from './infrastructure/oauth/sql-connection-directory.js';
import { SqlConnections } from './infrastructure/oauth/sql-connections.js';
import { StoredClientDirectory } from './infrastructure/oauth/stored-client-directory.js';
import { WidgetOrigins } from './infrastructure/oauth/widget-origins.js';
import { AccountConnectionsController } from './interface/http/account-connections.controller.js';
import { AdminAppsController } from './interface/http/admin-apps.controller.js';
import { GateErrorPage } from './interface/http/authorization-error.page.js';
import { ConnectionController } from './interface/http/connection.controller.js';
import { ConsentController } from './interface/http/consent.controller.js';
import { DeviceController } from './interface/http/device.controller.js';
import { OAuthMetadataController } from './interface/http/oauth-metadata.controller.js';

const USE_CASES = [
  BlockClient,
  DenyConnection,
  DescribeRequest,
  GetConnectionOwner,
  GrantConnection,
  LabelConnection,
  ListApps,
  ListConnections,
  LookUpDeviceCode,
  NoteClientInfo,
  ResolveActorFromToken,
  ResolveRequestProject,
  RevokeConnections,
  RevokeConnectionsOfClient,
  RevokeConnectionsOfProject,
  RevokeOwnConnection,
  RevokeOwnConnections,
  TellOfReuse,
  UnblockClient,
];

/** Parts of the authorization server; `identity.module.ts` adds them to the context. */
export const oauthBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers' | 'exports'>> = {
  controllers: [
    AccountConnectionsController,
    AdminAppsController,
    ConnectionController,
    ConsentController,
    DeviceController,
    OAuthMetadataController,
  ],
  providers: [
    ...USE_CASES,
    SiteReviewCheck,
    ArtefactStore,
    AudienceCheck,
    AuthorizationServer,
    GrantReader,
    OAuthProvider,
    ProviderClients,
    PurgeArtefacts,
    SigningKey,
    WidgetOrigins,
    { provide: AccessTokens, useExisting: ResolveActorFromToken },
    { provide: AuthorizationErrorPage, useClass: GateErrorPage },
    { provide: AuthorizationRequests, useClass: ProviderAuthorizationRequests },
    { provide: BlockedClients, useClass: SqlBlockedClients },
    { provide: ClientDirectory, useClass: StoredClientDirectory },
    { provide: ConnectionDirectory, useClass: SqlConnectionDirectory },
    { provide: Connections, useClass: SqlConnections },
    {
      provide: GuardedFetch,
      inject: [Configuration],
      useFactory: ({ values }: Configuration) =>
        new GuardedFetch({
          reach: values.profile === 'test' ? 'loopback' : 'public',
          hostMap: values.testHostMap,
          proxy: values.outboundProxy,
        }),
    },
  ],
  exports: [
    AccessTokens,
    ConnectionDirectory,
    NoteClientInfo,
    ResolveRequestProject,
    RevokeConnections,
    RevokeConnectionsOfProject,
  ],
};

/**
 * Puts the authorization server in front of the application. Call it before `app.init()` or `app.listen()`: it reads the
 * bodies of its endpoints itself and so must stand before any body parser.
 */
export function mountAuthorizationServer(app: INestApplication): void {
  app.use(app.get(AuthorizationServer, { strict: false }).handle);
}
