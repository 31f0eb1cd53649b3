import { Injectable } from '@nestjs/common';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { conflict } from '#libs/kernel/errors.js';
import { brokenConstraint, Database } from '#libs/persistence/database.js';
import { Persons } from '../application/ports/persons.js';
import { Person, type PersonFacts } from '../domain/person.js';

const INSTALL_LOCK = 7_215_101;

const COLUMNS = `id, email, display_name AS "displayName", password_hash AS "passwordHash",
  email_verified_at AS "emailVerifiedAt", is_admin AS "isAdmin", suspended_at AS "suspendedAt",
  suspended_reason AS "suspendedReason", deletion_requested_at AS "deletionRequestedAt",
  last_login_at AS "lastLoginAt", timezone, preferences, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Rows of `identity.persons`. */
@Injectable()
export class PostgresPersons extends Persons {
  constructor(private readonly database: Database) {
    super();
  }

  override byId(id: string): Promise<Person | null> {
    return this.find('id = $1', id);
  }

  override async byEmail(email: string): Promise<Person | null> {
    // PostgreSQL cannot hold it, so nobody has such an address.
    if (email.includes('\0')) return null;
    return this.find('email_lower = $1', comparableEmail(email));
  }

  override async add(person: Person): Promise<void> {
    const state = person.snapshot();
    await this.unlessTaken(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, is_admin,
         suspended_at, suspended_reason, deletion_requested_at, last_login_at, timezone, preferences, updated_at,
         created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [...valuesOf(state), state.createdAt],
    );
  }

  override async save(person: Person): Promise<void> {
    await this.unlessTaken(
      `UPDATE identity.persons SET email = $2, email_lower = $3, display_name = $4, password_hash = $5,
         email_verified_at = $6, is_admin = $7, suspended_at = $8, suspended_reason = $9, deletion_requested_at = $10,
         last_login_at = $11, timezone = $12, preferences = $13, updated_at = $14
       WHERE id = $1`,
      valuesOf(person.snapshot()),
    );
  }

  override async rememberProject(personId: string, projectId: string): Promise<void> {
    await this.database.query(
      'UPDATE identity.persons SET last_project_id = $2 WHERE id = $1 AND last_project_id IS DISTINCT FROM $2',
      [personId, projectId],
    );
  }

  override async count(): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      'SELECT count(*) AS n FROM identity.persons WHERE deletion_requested_at IS NULL',
    );
    return row!.n;
  }

  override async anyAdmin(): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM identity.persons WHERE is_admin AND deletion_requested_at IS NULL LIMIT 1',
    );
    return row !== null;
  }

  override async otherActiveAdmins(id: string): Promise<number> {
    // All admins are locked in one order, this person too: two who would go at once must wait for each other.
    const rows = await this.database.query<{ id: string; active: boolean }>(
      `SELECT id, suspended_at IS NULL AND email_verified_at IS NOT NULL AS active
         FROM identity.persons WHERE is_admin AND deletion_requested_at IS NULL ORDER BY id FOR UPDATE`,
    );
    return rows.filter((row) => row.active && row.id !== id).length;
  }

  override async lockInstallation(): Promise<void> {
    this.database.requireTransaction();
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [INSTALL_LOCK]);
  }

  private async unlessTaken(sql: string, values: readonly unknown[]): Promise<void> {
    try {
      await this.database.query(sql, values);
    } catch (error) {
      if (brokenConstraint(error) === 'persons_email_lower') {
        throw conflict('taken', 'Somebody has an account with this e-mail address.');
      }
      throw error;
    }
  }

  private async find(condition: string, value: string): Promise<Person | null> {
    const lock = this.database.inTransaction ? 'FOR UPDATE' : '';
    const row = await this.database.one<PersonFacts>(
      `SELECT ${COLUMNS} FROM identity.persons WHERE ${condition} AND deletion_requested_at IS NULL ${lock}`,
      [value],
    );
    return row && Person.restore(row);
  }
}

/** The id and every column that a change may touch, in the order of both statements. */
function valuesOf(state: ReturnType<Person['snapshot']>): readonly unknown[] {
  return [
    state.id,
    state.email,
    state.emailLower,
    state.displayName,
    state.passwordHash,
    state.emailVerifiedAt,
    state.isAdmin,
    state.suspendedAt,
    state.suspendedReason,
    state.deletionRequestedAt,
    state.lastLoginAt,
    state.timezone,
    JSON.stringify(state.preferences),
    state.updatedAt,
  ];
}
