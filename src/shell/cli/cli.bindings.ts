import { join } from 'node:path';
import type { ModuleMetadata } from '@nestjs/common';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Configuration } from '#libs/configuration/configuration.js';
import { CliController } from './cli.controller.js';
import { CliReleases } from './cli-releases.js';

/** The command's own part of the shell; `shell.module.ts` adds it. */
export const cliBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers'>> = {
  controllers: [CliController],
  providers: [
    {
      provide: CliReleases,
      inject: [Configuration],
      useFactory: (configuration: Configuration) =>
        new CliReleases(configuration, join(applicationRoot, 'dist', 'cli')),
    },
  ],
};
