import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import { ProjectAccess, type ProjectRole } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import type { ClientFacts } from '../../domain/oauth-client.js';
import { isLoopbackRedirect } from '../../domain/redirect-address.js';
import { needsProject } from '../../domain/requested-scopes.js';
import { openRequest } from '../commands/open-request.js';
import {
  type AuthorizationRequest,
  AuthorizationRequests,
  type RequestReference,
} from '../ports/authorization-requests.js';
import { ClientDirectory } from '../ports/client-directory.js';
import { SiteReviewCheck } from '../site-review-check.js';

export interface ProjectChoice {
  readonly id: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly lastUsedAt: Date | null;
}

export interface ProjectChoices {
  readonly filter: string;
  readonly items: readonly ProjectChoice[];
  readonly page: number;
  readonly hasMore: boolean;
  /** Of all projects, whatever the filter. */
  readonly total: number;
}

/** Everything that the consent and device pages show. */
export interface DescribedRequest {
  readonly request: AuthorizationRequest;
  readonly client: ClientFacts;
  readonly account: string;
  /** Every address of the app is on the person's own machine. */
  readonly loopbackOnly: boolean;
  /** Null when the app needs no choice. */
  readonly choices: ProjectChoices | null;
  /** Of the widget: the name of the project that it is for. */
  readonly namedProject: string | null;
}

export interface DescribeRequestInput {
  readonly reference: RequestReference;
  readonly filter?: string;
  readonly page?: number;
}

const PER_PAGE = 50;

/** What an app asks a person for. */
@Injectable()
export class DescribeRequest {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly clients: ClientDirectory,
    private readonly access: ProjectAccess,
    private readonly projects: ProjectDirectory,
    private readonly siteReview: SiteReviewCheck,
    private readonly database: Database,
  ) {}

  /** @throws DomainError when there is nothing to answer. */
  async execute(actor: PersonActor, input: DescribeRequestInput): Promise<DescribedRequest> {
    const request = openRequest(await this.requests.find(input.reference), input.reference.kind);
    const client = await this.clients.known(request.clientId);
    if (!client) throw conflict('request_expired', 'This request expired. Start again in the app.');
    const person = await this.database.one<{ email: string }>(
      'SELECT email FROM identity.persons WHERE id = $1',
      [actor.personId],
    );
    const chooses = needsProject(request.scopes) && !request.scopes.includes('site-review');
    return {
      request,
      client,
      account: person?.email ?? '',
      loopbackOnly: client.redirectUris.length > 0 && client.redirectUris.every(isLoopbackRedirect),
      choices: chooses ? await this.choicesOf(actor.personId, input) : null,
      namedProject: request.scopes.includes('site-review')
        ? await this.reviewedProject(actor, request)
        : null,
    };
  }

  private async choicesOf(personId: string, input: DescribeRequestInput): Promise<ProjectChoices> {
    const projects = await this.access.projectsOf(personId, 'read');
    const uses = await this.database.query<{ project_id: string; at: Date }>(
      `SELECT u.project_id, max(u.last_used_at) AS at
       FROM identity.connection_project_uses u JOIN identity.connections c ON c.id = u.connection_id
       WHERE c.person_id = $1 GROUP BY u.project_id`,
      [personId],
    );
    const usedAt = new Map(uses.map((use) => [use.project_id, use.at]));
    const filter = (input.filter ?? '').trim().slice(0, 100);
    const wanted = filter.toLowerCase();
    const matching = projects
      .filter((project) => project.name.toLowerCase().includes(wanted))
      .map(({ id, name, role }) => ({ id, name, role, lastUsedAt: usedAt.get(id) ?? null }))
      .sort((a, b) => (b.lastUsedAt?.getTime() ?? 0) - (a.lastUsedAt?.getTime() ?? 0));
    const page = Math.max(1, input.page ?? 1);
    const start = (page - 1) * PER_PAGE;
    return {
      filter,
      items: matching.slice(start, start + PER_PAGE),
      page,
      hasMore: matching.length > start + PER_PAGE,
      total: projects.length,
    };
  }

  private async reviewedProject(actor: PersonActor, request: AuthorizationRequest): Promise<string> {
    const projectId = await this.siteReview.projectOf(actor, request);
    return (await this.projects.byIds([projectId])).get(projectId)?.name ?? '';
  }
}
