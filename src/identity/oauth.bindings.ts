import type { ModuleMetadata } from '@nestjs/common';

/** Parts of the authorization server; `identity.module.ts` adds them to the context. */
export const oauthBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers' | 'exports'>> = {
  controllers: [],
  providers: [],
  exports: [],
};
