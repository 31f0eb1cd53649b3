import { Module } from '@nestjs/common';
import { GenerationModule } from './generation/generation.module.js';
import { LibraryModule } from './library/library.module.js';
import { PreviewModule } from './preview/preview.module.js';
import { TypedModule } from './typed/typed.module.js';

/** Artifacts: prototypes, pages, charts and files, in four areas. */
@Module({
  // Addresses with a fixed word stand before those with an id in the same place.
  imports: [PreviewModule, GenerationModule, LibraryModule, TypedModule],
  exports: [GenerationModule, PreviewModule, LibraryModule, TypedModule],
})
export class ArtifactsModule {}
