import {
  type BeforeApplicationShutdown,
  type INestApplication,
  Module,
  type OnModuleInit,
} from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { Metrics } from '#libs/observability/metrics.js';
import { ArtifactsModule } from '#src/artifacts/artifacts.module.js';
import { BoardModule } from '#src/board/board.module.js';
import { NoteAgentSession } from '#src/board/cards/application/commands/note-agent-session.js';
import { DocumentsModule } from '#src/documents/documents.module.js';
import { NoteClientInfo } from '#src/identity/application/commands/note-client-info.js';
import { AccessTokens } from '#src/identity/application/ports/access-tokens.js';
import { ResolveRequestProject } from '#src/identity/application/queries/resolve-request-project.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { AgentReviewTools } from './agent-reviews.tools.js';
import { ArtifactGenerationTools } from './artifact-generation.tools.js';
import { ArtifactPublishingTools } from './artifact-publishing.tools.js';
import { ArtifactMakingTools, ArtifactTools } from './artifacts.tools.js';
import { BoardTools } from './board.tools.js';
import { DocumentLabelTools } from './document-labels.tools.js';
import { DocumentTools } from './documents.tools.js';
import { ListeningClients } from './listening-clients.js';
import { McpDoor } from './mcp-door.js';
import { McpExchange } from './mcp-exchange.js';
import { ProjectTools } from './projects.tools.js';
import { recordOf } from './reasoning-record.js';
import type { ToolSource } from './tool-definition.js';
import { type ServerIdentity, ToolRegistry } from './tool-registry.js';
import { CALL_LIMIT_MS, ToolRunner } from './tool-runner.js';
import { TypedArtifactTools } from './typed-artifacts.tools.js';
import { WorkflowTools } from './workflow.tools.js';

const IDENTITY: ServerIdentity = { name: 'loupe', title: 'Loupe', version };

/** The MCP endpoint: one declaration a tool, checked and served for both protocol eras. */
@Module({
  imports: [IdentityModule, DocumentsModule, ArtifactsModule, BoardModule],
  providers: [
    ProjectTools,
    DocumentTools,
    DocumentLabelTools,
    AgentReviewTools,
    BoardTools,
    WorkflowTools,
    ArtifactTools,
    ArtifactMakingTools,
    ArtifactGenerationTools,
    ArtifactPublishingTools,
    TypedArtifactTools,
    {
      provide: ToolRegistry,
      inject: [
        Flags,
        ProjectTools,
        DocumentTools,
        DocumentLabelTools,
        AgentReviewTools,
        BoardTools,
        WorkflowTools,
        ArtifactTools,
        ArtifactMakingTools,
        ArtifactGenerationTools,
        ArtifactPublishingTools,
        TypedArtifactTools,
      ],
      useFactory: (flags: Flags, ...sources: ToolSource[]) => new ToolRegistry(sources, flags, IDENTITY),
    },
    {
      provide: ToolRunner,
      inject: [NoteAgentSession, Audit, ToolRegistry, Flags, ProjectAccess, RequestResults, Metrics],
      useFactory: (
        note: NoteAgentSession,
        audit: Audit,
        ...parts: [ToolRegistry, Flags, ProjectAccess, RequestResults, Metrics]
      ) =>
        new ToolRunner(
          ...parts,
          CALL_LIMIT_MS,
          (actor) => note.execute(actor),
          async (actor, call) => {
            const record = recordOf(call);
            if (record) await audit.record(actor, record);
          },
        ),
    },
    {
      provide: McpExchange,
      inject: [ToolRegistry, ToolRunner],
      useFactory: (registry: ToolRegistry, runner: ToolRunner) => new McpExchange(registry, runner, IDENTITY),
    },
    ListeningClients,
    {
      provide: McpDoor,
      inject: [
        Configuration,
        Flags,
        RateLimiter,
        AccessTokens,
        ResolveRequestProject,
        NoteClientInfo,
        McpExchange,
        Metrics,
        ListeningClients,
      ],
      useFactory: (
        configuration: Configuration,
        flags: Flags,
        limiter: RateLimiter,
        tokens: AccessTokens,
        projects: ResolveRequestProject,
        noteClient: NoteClientInfo,
        exchange: McpExchange,
        metrics: Metrics,
        listening: ListeningClients,
      ) => {
        const clients = {
          actorOf: tokens.actorOf.bind(tokens),
          projectOf: projects.execute.bind(projects),
          noteClient: noteClient.execute.bind(noteClient),
        };
        return new McpDoor(configuration, flags, limiter, clients, exchange, metrics, listening);
      },
    },
  ],
  exports: [ToolRegistry],
})
export class McpModule implements OnModuleInit, BeforeApplicationShutdown {
  private stopListening: (() => void) | null = null;

  constructor(
    private readonly flags: Flags,
    private readonly exchange: McpExchange,
    private readonly listening: ListeningClients,
    private readonly signals: Signals,
  ) {}

  onModuleInit(): void {
    this.listening.start(this.signals);
    this.stopListening = this.flags.onChange(() => this.exchange.toolsChanged());
  }

  /** Event streams end before the server waits for its connections. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopListening?.();
    this.listening.stop();
    await this.exchange.close();
  }
}

/**
 * Puts the door in front of everything that is mounted later: it reads its own bodies and makes its own checks, in its
 * own order. Call it before `app.init()`.
 */
export function mountMcp(app: INestApplication): void {
  app.use(app.get(McpDoor, { strict: false }).handle);
}
