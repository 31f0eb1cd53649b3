import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { PersonActor, Scope } from '#libs/kernel/actor.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import { clientKindOf, isTrusted } from '../../domain/oauth-client.js';

export interface ListedConnection {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastIp: string | null;
  readonly lastClientInfo: unknown;
  readonly origin: string | null;
  readonly revokedAt: null;
}

/** Connections of one app for one project, or of one machine. */
export interface ConnectionGroup {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly verified: boolean;
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  readonly project: { readonly id: string; readonly name: string } | null;
  readonly count: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly connections: readonly ListedConnection[];
}

interface Row {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: Scope[];
  readonly project_id: string | null;
  readonly origin: string | null;
  readonly label: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly last_ip: string | null;
  readonly last_client_info: unknown;
}

/** More than anybody reads; the newest stay. */
const SHOWN_MAX = 500;

/** The live connections of a person in groups, last used first. */
@Injectable()
export class ListConnections {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectDirectory,
    private readonly configuration: Configuration,
  ) {}

  async execute(actor: PersonActor): Promise<{ groups: ConnectionGroup[] }> {
    const rows = await this.database.query<Row>(
      `SELECT id, client_id, client_name, scopes, project_id, origin, label, created_at, last_used_at, last_ip,
              last_client_info
       FROM identity.connections
       WHERE person_id = $1 AND revoked_at IS NULL AND expires_at > now()
       ORDER BY COALESCE(last_used_at, created_at) DESC, id DESC LIMIT ${SHOWN_MAX}`,
      [actor.personId],
    );
    const named = await this.projects.byIds([...new Set(rows.flatMap((row) => row.project_id ?? []))]);
    const groups = new Map<string, Row[]>();
    for (const row of rows) {
      const key = JSON.stringify([row.client_id, row.project_id, row.label, [...row.scopes].sort()]);
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return {
      groups: [...groups.values()].map((members) => this.groupOf(members, (id) => named.get(id)?.name ?? '')),
    };
  }

  private groupOf(rows: readonly Row[], nameOf: (projectId: string) => string): ConnectionGroup {
    const [first] = rows as [Row];
    const byUrl = clientKindOf(first.client_id) === 'url';
    return {
      clientId: first.client_id,
      clientName: first.client_name,
      clientHost: byUrl ? (URL.parse(first.client_id)?.host ?? null) : null,
      verified: !byUrl || isTrusted(first.client_id, this.configuration.values.oauthTrustedClientIds),
      label: first.label,
      scopes: first.scopes,
      project: first.project_id ? { id: first.project_id, name: nameOf(first.project_id) } : null,
      count: rows.length,
      createdAt: new Date(Math.min(...rows.map((row) => row.created_at.getTime()))),
      lastUsedAt: first.last_used_at,
      connections: rows.map((row) => ({
        id: row.id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        lastIp: row.last_ip,
        lastClientInfo: row.last_client_info ?? null,
        origin: row.origin,
        revokedAt: null,
      })),
    };
  }
}
