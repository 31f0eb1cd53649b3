import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { clampPage, type Page } from '#libs/kernel/page.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { type ProjectCounts, ProjectHooks } from '../ports/project-hooks.js';
import { CountForProjects } from './count-for-projects.js';

export interface ProjectLine {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly members: number;
  readonly counts: ProjectCounts;
  /** Of the files that all contexts keep for it. */
  readonly bytes: number;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
}

/** All projects of the instance for its admins: what they are called and how much they hold, never what. */
@Injectable()
export class ListAllProjects {
  constructor(
    private readonly people: PersonDirectory,
    private readonly counting: CountForProjects,
    private readonly hooks: ProjectHooks,
    private readonly database: Database,
  ) {}

  /** Newest first, 50 a page. @throws DomainError `not-found` for everybody but admins. */
  async execute(
    actor: Actor,
    input: { readonly q?: string; readonly page?: number },
  ): Promise<Page<ProjectLine>> {
    requireAdmin(actor);
    const { page, perPage } = clampPage(input.page, 50);
    const words = (input.q ?? '').trim().slice(0, 200);
    const pattern = `%${words.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
    const rows = await this.database.query<
      Omit<ProjectLine, 'ownerName' | 'counts' | 'bytes' | 'lastActivityAt'> & {
        updatedAt: Date;
        total: number;
      }
    >(
      `SELECT p.id, p.name, p.slug, p.owner_id AS "ownerId", p.created_at AS "createdAt", p.updated_at AS "updatedAt",
              (SELECT count(*) FROM projects.memberships m WHERE m.project_id = p.id) AS members,
              count(*) OVER () AS total
         FROM projects.projects p
        WHERE p.deleted_at IS NULL AND ($1 = '%%' OR p.name ILIKE $1 OR p.slug ILIKE $1)
        ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
      [pattern, perPage + 1, (page - 1) * perPage],
    );
    const shown = rows.slice(0, perPage);
    const ids = shown.map(({ id }) => id);
    const [names, counted, sizes] = await Promise.all([
      this.people.names([...new Set(shown.map(({ ownerId }) => ownerId))]),
      this.counting.execute(ids),
      Promise.all(this.hooks.sizes.map((each) => each.bytes(ids))),
    ]);
    return {
      items: shown.map(({ updatedAt, total: _, ...row }) => {
        const { counts, lastActivityAt } = counted.get(row.id)!;
        return {
          ...row,
          ownerName: names.get(row.ownerId)!,
          counts,
          bytes: sizes.reduce((sum, of) => sum + (of.get(row.id) ?? 0), 0),
          lastActivityAt: lastActivityAt !== null && lastActivityAt > updatedAt ? lastActivityAt : updatedAt,
        };
      }),
      page,
      perPage,
      hasMore: rows.length > perPage,
      total: rows[0]?.total ?? 0,
    };
  }
}
