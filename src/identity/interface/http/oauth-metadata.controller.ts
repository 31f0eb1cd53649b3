import { Controller, Get, Header } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';

/** Documents from which a client learns how to sign in (`identity.md` 5.10). */
@Controller('.well-known')
export class OAuthMetadataController {
  constructor(private readonly configuration: Configuration) {}

  @Get(['oauth-authorization-server', 'openid-configuration'])
  @Header('Cache-Control', 'public, max-age=3600')
  authorizationServer(): Record<string, unknown> {
    return {
      issuer: this.configuration.values.defaultUri,
      authorization_endpoint: this.configuration.url('/oauth/authorize'),
      token_endpoint: this.configuration.url('/oauth/token'),
      revocation_endpoint: this.configuration.url('/oauth/revoke'),
      device_authorization_endpoint: this.configuration.url('/oauth/device-authorization'),
      jwks_uri: this.configuration.url('/oauth/jwks'),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['mcp', 'agent', 'site-review', 'projects'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: this.configuration.url('/docs/mcp'),
    };
  }

  @Get('oauth-protected-resource/mcp')
  @Header('Cache-Control', 'public, max-age=3600')
  @Header('Access-Control-Allow-Origin', '*')
  protectedResource(): Record<string, unknown> {
    return {
      resource: this.configuration.url('/mcp'),
      authorization_servers: [this.configuration.values.defaultUri],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
      resource_name: 'Loupe',
      resource_documentation: this.configuration.url('/docs/mcp'),
    };
  }
}
