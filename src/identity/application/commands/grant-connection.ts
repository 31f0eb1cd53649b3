import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError, forbidden } from '#libs/kernel/errors.js';
import { Ids, isUuid } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Connection } from '../../domain/connection.js';
import { needsProject } from '../../domain/requested-scopes.js';
import {
  type AuthorizationRequest,
  AuthorizationRequests,
  type RequestReference,
} from '../ports/authorization-requests.js';
import { ClientDirectory } from '../ports/client-directory.js';
import { Connections } from '../ports/connections.js';
import { PersonDirectory } from '../ports/person-directory.js';
import { SiteReviewCheck } from '../site-review-check.js';
import { openRequest } from './open-request.js';

export interface GrantConnectionInput {
  readonly reference: RequestReference;
  /** The choice on the consent page of an app that is bound to one project. */
  readonly projectId?: string;
}

export interface GrantedConnection {
  readonly connectionId: string;
  readonly clientName: string;
  /** Where the browser goes next; null for devices. */
  readonly location: string | null;
}

/** A person allows an app. Everything that the page showed is checked again in the transaction of the answer. */
@Injectable()
export class GrantConnection {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: AuthorizationRequests,
    private readonly connections: Connections,
    private readonly clients: ClientDirectory,
    private readonly people: PersonDirectory,
    private readonly access: ProjectAccess,
    private readonly siteReview: SiteReviewCheck,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * @throws DomainError `already_answered`, `request_expired`, `code_refused` when there is nothing to answer;
   * `project` errors, with which the request stays open.
   */
  execute(actor: PersonActor, { reference, projectId }: GrantConnectionInput): Promise<GrantedConnection> {
    return this.unitOfWork.run(async () => {
      const request = openRequest(await this.requests.claim(reference), reference.kind);
      if (!(await this.people.isActive(actor.personId))) {
        throw forbidden('This account is suspended.', 'suspended');
      }
      const client = await this.clients.known(request.clientId);
      if (!client) throw conflict('request_expired', 'This request expired. Start again in the app.');
      const connection = Connection.grant(
        {
          id: this.ids.next(),
          personId: actor.personId,
          clientId: client.clientId,
          clientName: client.name,
          clientUri: client.uri,
          scopes: request.scopes,
          projectId: await this.projectOf(actor, request, projectId),
          origin: request.scopes.includes('site-review') ? request.origin : null,
          label: request.deviceName,
          audience: request.resource,
        },
        this.clock.now(),
      );
      const granted = connection.state;
      await this.connections.insert(connection);
      const location = await this.requests.allow(reference, {
        personId: actor.personId,
        connectionId: granted.id,
      });
      await this.outbox.publish(actor, {
        type: 'ConnectionGranted',
        aggregateId: granted.id,
        projectId: granted.projectId,
        personId: actor.personId,
        payload: {
          connectionId: granted.id,
          personId: actor.personId,
          clientId: granted.clientId,
          clientName: granted.clientName,
          scopes: granted.scopes,
          projectId: granted.projectId,
        },
      });
      await this.audit.record(actor, {
        operation: 'connection.granted',
        subjectType: 'connection',
        subjectId: granted.id,
        projectId: granted.projectId,
        channel: 'oauth',
        context: { clientId: granted.clientId, scopes: granted.scopes },
      });
      await this.live.publish(`me:${actor.personId}`, { type: 'connections', subjectId: granted.id });
      if (granted.projectId) {
        await this.live.publish(`project:${granted.projectId}:connect`, {
          type: 'connected',
          subjectId: granted.id,
        });
      }
      return { connectionId: granted.id, clientName: granted.clientName, location };
    });
  }

  private async projectOf(
    actor: PersonActor,
    request: AuthorizationRequest,
    chosen: string | undefined,
  ): Promise<string | null> {
    if (!needsProject(request.scopes)) return null;
    if (request.scopes.includes('site-review')) return this.siteReview.projectOf(actor, request);
    if (!isUuid(chosen)) {
      throw new DomainError('invalid', 'project', 'Choose the project that this app may use.', {
        argument: 'project',
      });
    }
    const projectId = chosen.toLowerCase();
    if (!(await this.access.can(actor, projectId, 'read'))) {
      throw new DomainError(
        'invalid',
        'project',
        'That project is no longer open to you. Choose another one.',
        {
          argument: 'project',
        },
      );
    }
    return projectId;
  }
}
