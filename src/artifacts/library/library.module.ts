import { Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { EventListener } from '#libs/kernel/domain-event.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { LibraryChecks } from './infrastructure/library-checks.js';
import { LibraryInitializer } from './infrastructure/library-initializer.js';
import { LibrarySizes } from './infrastructure/library-sizes.js';
import { AdminArtifactsController } from './interface/http/admin-artifacts.controller.js';
import { ArtifactFilesController } from './interface/http/artifact-files.controller.js';
import { ArtifactsController } from './interface/http/artifacts.controller.js';
import { LibraryController } from './interface/http/library.controller.js';
import { WorkspacesController } from './interface/http/workspaces.controller.js';
import { libraryBindings, libraryReactions, libraryUseCases, offeredPorts } from './library.bindings.js';
import { waysInBindings, waysInControllers, waysInUseCases } from './ways-in.bindings.js';

/** The library of artifacts: versions, files, workspaces, and how people and agents work on them. */
@Module({
  imports: [IdentityModule],
  // Addresses with a fixed word stand before those with an id in the same place.
  controllers: [
    AdminArtifactsController,
    LibraryController,
    WorkspacesController,
    ...waysInControllers,
    ArtifactFilesController,
    ArtifactsController,
  ],
  providers: [
    ...libraryBindings,
    ...libraryUseCases,
    ...waysInBindings,
    ...waysInUseCases,
    LibraryInitializer,
    LibrarySizes,
  ],
  exports: [...offeredPorts, ...libraryUseCases, ...waysInUseCases],
})
export class LibraryModule implements OnModuleInit {
  constructor(
    private readonly hooks: ProjectHooks,
    private readonly initializer: LibraryInitializer,
    private readonly sizes: LibrarySizes,
    private readonly listeners: EventListeners,
    private readonly checks: StatusChecks,
    private readonly libraryChecks: LibraryChecks,
    private readonly module: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.hooks.addInitializer(this.initializer);
    this.hooks.addSizes(this.sizes);
    this.checks.register(...this.libraryChecks.all);
    for (const reaction of libraryReactions) {
      this.listeners.register(this.module.get<EventListener>(reaction));
    }
  }
}
