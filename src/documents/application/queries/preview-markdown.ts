import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { cleanMarkdown } from '../../domain/markdown-text.js';
import type { RenderWarning } from '../../domain/rendered-document.js';
import type { Given } from '../../domain/texts.js';
import { DocumentRenderer } from '../ports/document-renderer.js';

/** How a text would look; nothing is stored. @throws InvalidInput; DomainError `render_queue_full`. */
@Injectable()
export class PreviewMarkdown {
  constructor(
    private readonly access: ProjectAccess,
    private readonly renderer: DocumentRenderer,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly markdown?: Given<string> },
  ): Promise<{ readonly html: string; readonly warnings: readonly RenderWarning[] }> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const markdown = cleanMarkdown(input.markdown ?? '', problems);
    problems.throwIfAny();
    const { html, warnings } = await this.renderer.render(markdown);
    return { html, warnings };
  }
}
