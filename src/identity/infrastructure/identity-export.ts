import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';

/** The account of a person, its sessions and its connected apps, without any secret. */
@Injectable()
export class IdentityExport implements ExportContributor, OnModuleInit {
  readonly name = 'identity';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
    this.contributors.tellAddress((personId) => this.addressOf(personId));
  }

  *files({ personId }: ExportSubject): Iterable<ExportedFile> {
    yield { ...this.rows('profile.json', PROFILE, personId), shape: 'one' };
    yield this.rows('sessions.json', SESSIONS, personId);
    yield this.rows('connected_apps.json', CONNECTED_APPS, personId);
  }

  private rows(name: string, sql: string, personId: string) {
    return rowsFile(this.database, name, sql, [personId]);
  }

  private async addressOf(personId: string): Promise<string | null> {
    const row = await this.database.one<{ email: string }>(
      `SELECT email FROM identity.persons
       WHERE id = $1 AND deletion_requested_at IS NULL AND email_verified_at IS NOT NULL`,
      [personId],
    );
    return row?.email ?? null;
  }
}

const PROFILE = `
  SELECT id, email, display_name AS "displayName", email_verified_at AS "emailVerifiedAt", is_admin AS "isAdmin",
         last_login_at AS "lastLoginAt", timezone, preferences, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM identity.persons WHERE id = $1`;

const SESSIONS = `
  SELECT created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", ip,
         user_agent AS "userAgent"
  FROM identity.web_sessions WHERE person_id = $1 ORDER BY created_at`;

const CONNECTED_APPS = `
  SELECT id, client_id AS "clientId", client_name AS "clientName", client_uri AS "clientUri", scopes,
         project_id AS "projectId", origin, label, created_at AS "createdAt", expires_at AS "expiresAt",
         last_used_at AS "lastUsedAt", last_ip AS "lastIp", revoked_at AS "revokedAt",
         revoked_reason AS "revokedReason"
  FROM identity.connections WHERE person_id = $1 ORDER BY created_at, id`;
