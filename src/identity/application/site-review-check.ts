import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { forbidden } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import type { AuthorizationRequest } from './ports/authorization-requests.js';

/** Project and page origin come from the request of the widget, so both are checked: for the page and at the answer. */
@Injectable()
export class SiteReviewCheck {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: ProjectDirectory,
  ) {}

  /** @returns the id of the project. @throws DomainError `forbidden` with the texts of `site-review.md` 4. */
  async projectOf(actor: PersonActor, { projectId, origin }: AuthorizationRequest): Promise<string> {
    const id = projectId?.toLowerCase();
    if (!isUuid(id) || !(await this.access.can(actor, id, 'contribute'))) {
      throw forbidden('Your account cannot review this project.', 'project_not_covered');
    }
    if (origin && isOrigin(origin) && (await this.projects.allowsOrigin(id, origin))) return id;
    const site = origin && isOrigin(origin) ? origin : 'its address';
    throw forbidden(
      (await this.access.can(actor, id, 'administer'))
        ? `This site is not on the list of allowed sites of the project. Add ${site} in the project's site review settings.`
        : `Ask the owner or a maintainer to add ${site}.`,
      'origin_not_allowed',
    );
  }
}

function isOrigin(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text;
}
