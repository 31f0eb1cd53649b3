import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { Configuration } from '#libs/configuration/configuration.js';
import type { Scope } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { includesLevel, levelOfRole, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { rulesOf } from '../../domain/oauth-client.js';

interface Row {
  readonly person_id: string;
  readonly client_id: string;
  readonly scopes: Scope[];
  readonly project_id: string | null;
  readonly audience: string;
  readonly iat: number;
  readonly exp: number;
}

/** Shows live connections to the library as its grants. */
@Injectable()
export class GrantReader {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Undefined when the connection ended, when its app is blocked, when its project is no longer open to the person, or when the instance had
   * another address: tokens of that one are refused everywhere, so the app shall sign in again.
   */
  async find(connectionId: string): Promise<AdapterPayload | undefined> {
    if (!isUuid(connectionId)) return undefined;
    const row = await this.database.one<Row>(
      `SELECT person_id, client_id, scopes, project_id, audience,
              floor(extract(epoch FROM created_at))::int8 AS iat, floor(extract(epoch FROM expires_at))::int8 AS exp
       FROM identity.connections WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()
         AND NOT EXISTS (SELECT 1 FROM identity.blocked_clients b WHERE b.client_id = connections.client_id)`,
      [connectionId],
    );
    const resource = this.configuration.url(rulesOf(row?.client_id ?? '').resourcePath);
    if (!row || row.audience !== resource || !(await this.isOpen(row))) return undefined;
    return {
      kind: 'Grant',
      jti: connectionId,
      iat: row.iat,
      exp: row.exp,
      accountId: row.person_id,
      clientId: row.client_id,
      resources: { [row.audience]: row.scopes.join(' ') },
    } as AdapterPayload;
  }

  /** Whether the person may have working tokens. */
  async isActive(personId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM identity.persons WHERE id = $1 AND suspended_at IS NULL AND deletion_requested_at IS NULL
         AND email_verified_at IS NOT NULL`,
      [personId],
    );
    return row !== null;
  }

  private async isOpen(row: Row): Promise<boolean> {
    if (row.project_id === null) return true;
    const role = await this.access.roleOf(row.person_id, row.project_id);
    if (role === null) return false;
    return !row.scopes.includes('site-review') || includesLevel(levelOfRole(role), 'contribute');
  }
}
