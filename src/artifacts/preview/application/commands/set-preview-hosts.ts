import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { PreviewHosts } from '../ports/preview-hosts.js';

/** Origins of one project. */
export const MOST_HOSTS = 20;

/** Sets the origins outside that the previews of a project may load from and talk to (`artifacts.md` 10.2). */
@Injectable()
export class SetPreviewHosts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly hosts: PreviewHosts,
    private readonly work: UnitOfWork,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  /** @returns the origins as kept. @throws DomainError `not-found`, `forbidden`; InvalidInput naming each origin. */
  async execute(
    actor: Actor,
    { projectId, origins }: { readonly projectId: string; readonly origins: readonly string[] },
  ): Promise<readonly string[]> {
    await this.access.require(actor, projectId, 'administer');
    const problems = new Problems();
    const kept: string[] = [];
    origins.forEach((given, index) => {
      const origin = httpsOrigin(given);
      if (origin === null)
        problems.add(`origins[${index}]`, 'must be an https origin such as https://cdn.example.com.');
      else if (!kept.includes(origin)) kept.push(origin);
    });
    if (kept.length > MOST_HOSTS) problems.add('origins', `must name at most ${MOST_HOSTS} origins.`);
    problems.throwIfAny();
    await this.work.run(async () => {
      const before = await this.hosts.of(projectId);
      if (before.join(' ') === kept.join(' ')) return;
      await this.hosts.replace(projectId, kept);
      await this.audit.record(actor, {
        operation: 'artifact.preview_hosts_changed',
        subjectType: 'project',
        subjectId: projectId,
        projectId,
        context: { origins: kept.length },
      });
      await this.live.publish(`project:${projectId}:artifacts`, { type: 'hosts', subjectId: projectId });
    });
    return kept;
  }
}

/** Only letters, digits, dots and dashes stand in it afterwards, so it is safe inside a header. */
function httpsOrigin(given: string): string | null {
  const url = URL.parse(given.trim());
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username)
    return null;
  return /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?$/.test(url.origin) ? url.origin : null;
}
