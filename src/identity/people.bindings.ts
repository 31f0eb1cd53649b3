import type { ModuleMetadata } from '@nestjs/common';
import { FormTokens } from './interface/http/form-tokens.js';
import { PageSender } from './interface/http/pages/page-sender.js';

/** Parts for people and their sign-in; `identity.module.ts` adds them to the context. */
export const peopleBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers' | 'exports'>> = {
  controllers: [],
  providers: [FormTokens, PageSender],
  exports: [PageSender],
};
