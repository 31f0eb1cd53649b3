import type { ModuleMetadata } from '@nestjs/common';
import { DiagramFrameController } from './diagram-frame.controller.js';
import { PageController } from './page.controller.js';
import { PageNames } from './page-names.js';
import { PreviewPageController } from './preview-page.controller.js';
import { SessionController } from './session.controller.js';

/** The web app's own part of the shell; `shell.module.ts` adds it. */
export const webBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers'>> = {
  controllers: [SessionController, DiagramFrameController, PreviewPageController, PageController],
  providers: [PageNames],
};
