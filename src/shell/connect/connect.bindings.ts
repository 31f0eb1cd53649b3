import type { ModuleMetadata } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { ConnectController, SetupController } from './connect.controller.js';
import { ConnectGuide } from './connect-guide.js';
import { GetConnectInfo } from './get-connect-info.js';

/** The Connect page's part of the shell; `shell.module.ts` adds it. */
export const connectBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers'>> = {
  controllers: [ConnectController, SetupController],
  providers: [
    GetConnectInfo,
    {
      provide: ConnectGuide,
      inject: [Configuration],
      useFactory: (configuration: Configuration) => new ConnectGuide(configuration),
    },
  ],
};
