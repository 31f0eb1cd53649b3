import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import type { PersonState } from '../../domain/person.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

export const PEOPLE_STATES = ['active', 'unverified', 'suspended', 'admin'] as const;

export interface ListPeopleInput {
  /** Part of an address or a name. */
  readonly q?: string;
  readonly state?: (typeof PEOPLE_STATES)[number];
  /** From 1. */
  readonly page?: number;
}

export interface ListedPerson {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly state: PersonState;
  readonly isAdmin: boolean;
  readonly createdAt: Date;
  readonly lastLoginAt: Date | null;
}

export interface PeoplePage {
  readonly people: readonly ListedPerson[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
}

const PER_PAGE = 50;

/** SQL of the state of a person. */
export const STATE_SQL = `CASE WHEN suspended_at IS NOT NULL THEN 'suspended'
  WHEN email_verified_at IS NULL THEN 'unverified' ELSE 'active' END`;

/** Everybody with an account, newest first, 50 a page, for admins. @throws DomainError `not_found` for others. */
@Injectable()
export class ListPeople {
  constructor(
    private readonly database: Database,
    private readonly persons: Persons,
  ) {}

  async execute(actor: Actor, { q = '', state, page = 1 }: ListPeopleInput): Promise<PeoplePage> {
    await requireAdmin(this.persons, actor);
    const words = q.trim().toLowerCase().replace(/\0/g, '').slice(0, 254);
    const rows = await this.database.query<ListedPerson & { total: number }>(
      `SELECT id, display_name AS "displayName", email, ${STATE_SQL} AS state, is_admin AS "isAdmin",
              created_at AS "createdAt", last_login_at AS "lastLoginAt", count(*) OVER () AS total
         FROM identity.persons
        WHERE deletion_requested_at IS NULL
          AND ($1 = '' OR position($1 in email_lower) > 0 OR position($1 in lower(display_name)) > 0)
          AND ($2::text IS NULL OR $2 = ${STATE_SQL} OR ($2 = 'admin' AND is_admin))
        ORDER BY created_at DESC, id DESC LIMIT ${PER_PAGE} OFFSET $3`,
      [words, state ?? null, (page - 1) * PER_PAGE],
    );
    const total = rows[0]?.total ?? 0;
    return {
      people: rows.map(({ total: _, ...person }) => person),
      total,
      page,
      perPage: PER_PAGE,
      hasMore: page * PER_PAGE < total,
    };
  }
}
