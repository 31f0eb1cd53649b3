import { Injectable } from '@nestjs/common';
import type { Actor, Scope } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { browserName } from '../../domain/browser-name.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';
import { type ListedPerson, STATE_SQL } from './list-people.js';

export interface PersonDetails extends ListedPerson {
  readonly timezone: string;
  readonly suspendedReason: string | null;
  readonly suspendedAt: Date | null;
  /** False while a link to choose one was not used, and for people who come through their company. */
  readonly hasPassword: boolean;
  readonly companySignIn: boolean;
  /** Number alone: an admin sees no content of projects. */
  readonly projects: number;
  readonly sessions: readonly {
    readonly id: string;
    readonly browser: string;
    readonly ip: string | null;
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
  }[];
  readonly connections: readonly {
    readonly id: string;
    readonly clientId: string;
    readonly clientName: string;
    readonly label: string | null;
    readonly scopes: readonly Scope[];
    readonly createdAt: Date;
    readonly lastUsedAt: Date | null;
  }[];
}

const SHOWN_MAX = 200;

/** One account with its sessions and connections, for admins. @throws DomainError `not_found`. */
@Injectable()
export class GetPerson {
  constructor(
    private readonly database: Database,
    private readonly persons: Persons,
    private readonly access: ProjectAccess,
  ) {}

  async execute(actor: Actor, { personId }: { readonly personId: string }): Promise<PersonDetails> {
    await requireAdmin(this.persons, actor);
    if (!isUuid(personId)) throw notFound('Person');
    const facts = await this.database.one<Omit<PersonDetails, 'projects' | 'sessions' | 'connections'>>(
      `SELECT id, display_name AS "displayName", email, ${STATE_SQL} AS state, is_admin AS "isAdmin",
              created_at AS "createdAt", last_login_at AS "lastLoginAt", timezone,
              suspended_reason AS "suspendedReason", suspended_at AS "suspendedAt",
              password_hash <> '' AS "hasPassword",
              EXISTS (SELECT 1 FROM identity.company_identities c WHERE c.person_id = persons.id) AS "companySignIn"
         FROM identity.persons WHERE id = $1 AND deletion_requested_at IS NULL`,
      [personId],
    );
    if (!facts) throw notFound('Person');
    const sessions = await this.database.query<
      PersonDetails['sessions'][number] & { userAgent: string | null }
    >(
      `SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", last_seen_at AS "lastSeenAt"
         FROM identity.web_sessions WHERE person_id = $1 AND expires_at > now()
        ORDER BY last_seen_at DESC LIMIT ${SHOWN_MAX}`,
      [personId],
    );
    const connections = await this.database.query<PersonDetails['connections'][number]>(
      `SELECT id, client_id AS "clientId", client_name AS "clientName", label, scopes, created_at AS "createdAt",
              last_used_at AS "lastUsedAt"
         FROM identity.connections WHERE person_id = $1 AND revoked_at IS NULL AND expires_at > now()
        ORDER BY COALESCE(last_used_at, created_at) DESC LIMIT ${SHOWN_MAX}`,
      [personId],
    );
    return {
      ...facts,
      projects: (await this.access.projectsOf(personId, 'read')).length,
      sessions: sessions.map(({ userAgent, ...session }) => ({
        ...session,
        browser: browserName(userAgent),
      })),
      connections,
    };
  }
}
