import { join } from 'node:path';
import type { ModuleMetadata } from '@nestjs/common';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Configuration } from '#libs/configuration/configuration.js';
import { ToolRegistry } from '../mcp/tool-registry.js';
import { AboutController } from './about.controller.js';
import { DocsController } from './docs.controller.js';
import { Guides } from './guides.js';
import { ToolReferences } from './tool-reference.js';

/** Guides as the build left them. */
const FOLDER = join(applicationRoot, 'dist', 'docs');

/** The guides' part of the shell; `shell.module.ts` adds it. */
export const docsBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers'>> = {
  controllers: [DocsController, AboutController],
  providers: [
    {
      provide: Guides,
      inject: [Configuration],
      useFactory: (configuration: Configuration) => new Guides(FOLDER, configuration.values.defaultUri),
    },
    {
      provide: ToolReferences,
      inject: [ToolRegistry],
      useFactory: (registry: ToolRegistry) => new ToolReferences(registry),
    },
  ],
};
