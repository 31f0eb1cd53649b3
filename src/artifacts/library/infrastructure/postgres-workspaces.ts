import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { conflict } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { brokenConstraint, Database } from '#libs/persistence/database.js';
import { Workspaces } from '../application/ports/workspaces.js';
import { overLimit } from '../domain/refusals.js';
import { GENERAL, WORKSPACES_MAX, Workspace, type WorkspaceState } from '../domain/workspace.js';

const COLUMNS = `id, project_id AS "projectId", name, is_general AS "isGeneral", agent_access AS "agentAccess",
  archived_at AS "archivedAt", created_at AS "createdAt"`;

@Injectable()
export class PostgresWorkspaces extends Workspaces {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async ofProject(projectId: string): Promise<Workspace[]> {
    const found = await this.read(projectId);
    if (found.some(({ state }) => state.isGeneral)) return found;
    await this.ensureGeneral(projectId);
    return this.read(projectId);
  }

  override async lock(projectId: string, workspaceId: string): Promise<Workspace | null> {
    this.database.requireTransaction();
    const row = await this.database.one<WorkspaceState>(
      `SELECT ${COLUMNS} FROM artifacts.workspace WHERE id = $1 AND project_id = $2 FOR NO KEY UPDATE`,
      [workspaceId, projectId],
    );
    return row && new Workspace(row);
  }

  override async add({ state: w }: Workspace): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.shelf (project_id, created_at) VALUES ($1, $2)
       ON CONFLICT (project_id) DO UPDATE SET artifacts = shelf.artifacts`,
      [w.projectId, w.createdAt],
    );
    const count = await this.database.one<{ count: number }>(
      'SELECT count(*) FROM artifacts.workspace WHERE project_id = $1',
      [w.projectId],
    );
    if (count!.count >= WORKSPACES_MAX) {
      throw overLimit(`The project has ${count!.count} workspaces; the limit is ${WORKSPACES_MAX}.`);
    }
    await this.named(w.name, () =>
      this.database.query(
        `INSERT INTO artifacts.workspace (id, project_id, name, is_general, agent_access, archived_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [w.id, w.projectId, w.name, w.isGeneral, w.agentAccess, w.archivedAt, w.createdAt],
      ),
    );
  }

  override async save({ state: w }: Workspace): Promise<void> {
    await this.named(w.name, () =>
      this.database.query(
        'UPDATE artifacts.workspace SET name = $2, agent_access = $3, archived_at = $4 WHERE id = $1',
        [w.id, w.name, w.agentAccess, w.archivedAt],
      ),
    );
  }

  override async ensureGeneral(projectId: string): Promise<void> {
    // Nothing holds the name General when this runs: the first use of the library of a project makes it.
    await this.database.query(
      `INSERT INTO artifacts.workspace (id, project_id, name, is_general, created_at) VALUES ($1, $2, $3, true, $4)
       ON CONFLICT DO NOTHING`,
      [this.ids.next(), projectId, GENERAL, this.clock.now()],
    );
  }

  override async activeArtifacts(workspaceId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*) FROM artifacts.artifact
       WHERE workspace_id = $1 AND deleted_at IS NULL AND archived_at IS NULL`,
      [workspaceId],
    );
    return row!.count;
  }

  private async read(projectId: string): Promise<Workspace[]> {
    const rows = await this.database.query<WorkspaceState>(
      `SELECT ${COLUMNS} FROM artifacts.workspace WHERE project_id = $1 ORDER BY is_general DESC, lower(name), id`,
      [projectId],
    );
    return rows.map((row) => new Workspace(row));
  }

  private async named<T>(name: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (brokenConstraint(error) !== 'workspace_name') throw error;
      throw conflict('taken', `The project has a workspace named "${name}" already.`, { argument: 'name' });
    }
  }
}
