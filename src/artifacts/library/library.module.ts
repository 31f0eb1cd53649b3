import { Module, type OnModuleInit } from '@nestjs/common';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { LibraryInitializer } from './infrastructure/library-initializer.js';
import { libraryBindings, offeredPorts } from './library.bindings.js';

/** The library of artifacts: versions, files, workspaces, and how people and agents work on them. */
@Module({
  imports: [IdentityModule],
  providers: [...libraryBindings, LibraryInitializer],
  exports: offeredPorts,
})
export class LibraryModule implements OnModuleInit {
  constructor(
    private readonly hooks: ProjectHooks,
    private readonly initializer: LibraryInitializer,
  ) {}

  onModuleInit(): void {
    this.hooks.addInitializer(this.initializer);
  }
}
