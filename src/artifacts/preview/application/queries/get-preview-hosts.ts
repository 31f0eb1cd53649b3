import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { PreviewHosts } from '../ports/preview-hosts.js';

/** Origins that the previews of a project may use. */
@Injectable()
export class GetPreviewHosts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly hosts: PreviewHosts,
  ) {}

  async execute(actor: Actor, projectId: string): Promise<readonly string[]> {
    await this.access.require(actor, projectId, 'read');
    return this.hosts.of(projectId);
  }
}
