import { type DynamicModule, Module } from '@nestjs/common';
import type { Configuration } from '#libs/configuration/configuration.js';
import type { Database } from '#libs/persistence/database.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { BoardModule } from './board/board.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { FoundationModule } from './foundation.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ShellModule } from './shell/shell.module.js';

/** The whole application: contexts in the order of the context map, each of which calls only those before it. */
@Module({})
export class AppModule {
  static with(configuration: Configuration, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        FoundationModule.with(configuration, database),
        PlatformModule,
        IdentityModule,
        ProjectsModule,
        DocumentsModule,
        ArtifactsModule,
        BoardModule,
        ShellModule,
      ],
    };
  }
}
