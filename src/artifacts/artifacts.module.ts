import { Module } from '@nestjs/common';
import { LibraryModule } from './library/library.module.js';

/** Artifacts: prototypes, pages, charts and files, in four areas. */
@Module({
  imports: [LibraryModule],
  exports: [LibraryModule],
})
export class ArtifactsModule {}
