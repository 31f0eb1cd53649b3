import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';
import { GitInstallation } from '../ports/git-installation.js';
import { type FailedGenerationFact, type GeneratorOrderFact, LibraryHooks } from '../ports/library-hooks.js';

const PROJECTS = 50;
const LARGEST = 20;
const PUBLISHED = 200;
const FAILED = 20;

/** An artifact of any project, by name: all that an admin sees of it. */
interface NamedOne {
  readonly artifactId: string;
  readonly projectId: string;
  readonly name: string;
}

export interface AdminOverview {
  readonly projects: readonly {
    readonly projectId: string;
    readonly name: string | null;
    readonly artifacts: number;
    readonly bytes: number;
  }[];
  readonly totals: {
    readonly artifacts: number;
    readonly versions: number;
    readonly files: number;
    readonly blobs: number;
    readonly bytes: number;
  };
  readonly largest: readonly (NamedOne & { readonly totalBytes: number })[];
  readonly published: readonly (NamedOne & {
    readonly subdomain: string;
    readonly liveUrl: string | null;
    readonly version: number | null;
    readonly publishedAt: Date;
    readonly takenDown: string | null;
  })[];
  readonly failedJobs: readonly (FailedGenerationFact & { readonly name: string })[];
  readonly generators: readonly GeneratorOrderFact[];
  readonly orphanRefs: number | null;
  readonly git: { readonly version: string | null; readonly lastBundleAt: Date | null };
}

/** What artifacts take on the instance, for its admins; no content, no files. @throws DomainError `not-found`. */
@Injectable()
export class GetAdminOverview {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectDirectory,
    private readonly hooks: LibraryHooks,
    private readonly installation: GitInstallation,
  ) {}

  async execute(actor: Actor): Promise<AdminOverview> {
    requireAdmin(actor);
    const shelves = await this.database.query<{ projectId: string; artifacts: number; bytes: number }>(
      `SELECT project_id AS "projectId", artifacts, bytes FROM artifacts.shelf
       WHERE artifacts > 0 ORDER BY bytes DESC, project_id LIMIT ${PROJECTS}`,
    );
    const facts = await this.projects.byIds(shelves.map(({ projectId }) => projectId));
    return {
      projects: shelves.map((row) => ({ ...row, name: facts.get(row.projectId)?.name ?? null })),
      totals: await this.totals(),
      largest: await this.database.query<AdminOverview['largest'][number]>(
        `SELECT id AS "artifactId", project_id AS "projectId", name, latest_total_bytes AS "totalBytes"
         FROM artifacts.artifact WHERE deleted_at IS NULL AND latest_total_bytes IS NOT NULL
         ORDER BY latest_total_bytes DESC, id LIMIT ${LARGEST}`,
      ),
      published: await this.published(),
      failedJobs: await this.failedJobs(),
      generators: await this.hooks.generators(),
      orphanRefs: await this.installation.orphans(),
      git: { version: await this.installation.version(), lastBundleAt: await this.lastBundle() },
    };
  }

  private async totals(): Promise<AdminOverview['totals']> {
    const row = await this.database.one<AdminOverview['totals']>(
      `SELECT (SELECT count(*) FROM artifacts.artifact) AS artifacts,
              (SELECT count(*) FROM artifacts.version) AS versions,
              (SELECT coalesce(sum(file_count), 0)::bigint FROM artifacts.version) AS files,
              (SELECT count(*) FROM artifacts.blob) AS blobs,
              (SELECT coalesce(sum(bytes), 0)::bigint FROM artifacts.blob) AS bytes`,
    );
    return row!;
  }

  private async published(): Promise<AdminOverview['published']> {
    const rows = await this.database.query<Omit<AdminOverview['published'][number], 'liveUrl'>>(
      `SELECT a.id AS "artifactId", a.project_id AS "projectId", a.name, p.subdomain, p.version_number AS version,
              p.published_at AS "publishedAt", p.taken_down_reason AS "takenDown"
       FROM artifacts.publication p JOIN artifacts.artifact a ON a.id = p.artifact_id
       WHERE p.version_number IS NOT NULL OR p.taken_down_reason IS NOT NULL
       ORDER BY p.published_at DESC, a.id LIMIT ${PUBLISHED}`,
    );
    const live = await this.hooks.published(rows.map(({ artifactId }) => artifactId));
    return rows.map((row) => ({ ...row, liveUrl: live.get(row.artifactId)?.liveUrl ?? null }));
  }

  private async failedJobs(): Promise<AdminOverview['failedJobs']> {
    const failed = await this.hooks.failedGenerations(FAILED);
    const rows = await this.database.query<{ id: string; name: string }>(
      'SELECT id, name FROM artifacts.artifact WHERE id = ANY($1)',
      [failed.map(({ artifactId }) => artifactId)],
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return failed.flatMap((job) => {
      const name = names.get(job.artifactId);
      return name === undefined ? [] : [{ ...job, name }];
    });
  }

  private async lastBundle(): Promise<Date | null> {
    const row = await this.database.one<{ at: Date | null }>(
      'SELECT max(stored_at) AS at FROM artifacts.bundle',
    );
    return row?.at ?? null;
  }
}
