import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';

const LARGEST = 10;

export interface Usage {
  /** Distinct contents of all versions. */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly artifacts: number;
  readonly maxArtifacts: number;
  readonly workspaces: readonly {
    readonly workspaceId: string;
    readonly name: string;
    readonly artifacts: number;
    /** Of the latest versions. */
    readonly bytes: number;
  }[];
  readonly largest: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly totalBytes: number;
  }[];
}

/** What the library of a project holds, against its quota. */
@Injectable()
export class GetUsage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly flags: Flags,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string }): Promise<Usage> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const shelf = await this.database.one<{ bytes: number; artifacts: number }>(
      'SELECT bytes, artifacts FROM artifacts.shelf WHERE project_id = $1',
      [projectId],
    );
    const workspaces = await this.database.query<Usage['workspaces'][number]>(
      `SELECT w.id AS "workspaceId", w.name, count(a.id)::int AS artifacts,
              coalesce(sum(a.latest_total_bytes), 0)::bigint AS bytes
       FROM artifacts.workspace w
       LEFT JOIN artifacts.artifact a ON a.workspace_id = w.id AND a.deleted_at IS NULL
       WHERE w.project_id = $1 GROUP BY w.id ORDER BY w.is_general DESC, lower(w.name)`,
      [projectId],
    );
    const largest = await this.database.query<Usage['largest'][number]>(
      `SELECT id AS "artifactId", name, latest_total_bytes AS "totalBytes" FROM artifacts.artifact
       WHERE project_id = $1 AND deleted_at IS NULL AND latest_total_bytes IS NOT NULL
       ORDER BY latest_total_bytes DESC, id LIMIT ${LARGEST}`,
      [projectId],
    );
    return {
      bytes: shelf?.bytes ?? 0,
      maxBytes: this.flags.int('artifacts.project_max_bytes'),
      artifacts: shelf?.artifacts ?? 0,
      maxArtifacts: this.flags.int('artifacts.project_max_artifacts'),
      workspaces,
      largest,
    };
  }
}
