import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { cliBindings } from './cli/cli.bindings.js';
import { connectBindings } from './connect/connect.bindings.js';
import { docsBindings } from './docs/docs.bindings.js';
import { McpModule } from './mcp/mcp.module.js';
import { webBindings } from './web/web.bindings.js';

/** What joins contexts: the MCP door and its tools, the pages of the app. Nothing calls the shell. */
@Module({
  imports: [IdentityModule, DocumentsModule, ArtifactsModule, McpModule],
  controllers: [
    ...cliBindings.controllers,
    ...connectBindings.controllers,
    ...docsBindings.controllers,
    ...webBindings.controllers,
  ],
  providers: [
    ...cliBindings.providers,
    ...connectBindings.providers,
    ...docsBindings.providers,
    ...webBindings.providers,
  ],
})
export class ShellModule {}
