import { Injectable } from '@nestjs/common';
import type { ConnectionActor, Scope } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess, type ProjectRole } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';

export interface ConnectionOwner {
  readonly person: { readonly id: string; readonly displayName: string };
  readonly connection: {
    readonly id: string;
    readonly label: string | null;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Date;
  };
  readonly projects: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: ProjectRole;
  }[];
}

interface Row {
  readonly label: string | null;
  readonly scopes: Scope[];
  readonly expires_at: Date;
  readonly display_name: string;
}

/** Whom a connection acts for, and on which projects: own ones first, then shared ones, by name. */
@Injectable()
export class GetConnectionOwner {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  async execute(actor: ConnectionActor): Promise<ConnectionOwner> {
    const row = await this.database.one<Row>(
      `SELECT c.label, c.scopes, c.expires_at, p.display_name
       FROM identity.connections c JOIN identity.persons p ON p.id = c.person_id WHERE c.id = $1`,
      [actor.connectionId],
    );
    if (!row) throw notFound('Connection');
    const projects = await this.access.projectsOf(actor.personId, 'read');
    return {
      person: { id: actor.personId, displayName: row.display_name },
      connection: {
        id: actor.connectionId,
        label: row.label,
        scopes: row.scopes,
        expiresAt: row.expires_at,
      },
      projects: projects.map(({ id, slug, name, role }) => ({ id, slug, name, role })),
    };
  }
}
