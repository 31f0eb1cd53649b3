import { Injectable } from '@nestjs/common';
import { conflict } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import { ProjectWorkflows, type SlotColumns } from '../application/ports/project-workflows.js';
import { ProjectWorkflow, type SettingValues } from '../domain/project-workflow.js';
import { ParsedTemplates } from './parsed-templates.js';

interface Row {
  readonly projectId: string;
  readonly digest: string;
  readonly values: SettingValues;
  readonly enabled: boolean;
  readonly version: number;
  readonly boundAt: Date;
}

const ROW = `SELECT project_id AS "projectId", digest, values, enabled, version, bound_at AS "boundAt"
  FROM board.project_workflow`;

@Injectable()
export class SqlProjectWorkflows extends ProjectWorkflows {
  constructor(
    private readonly database: Database,
    private readonly templates: ParsedTemplates,
  ) {
    super();
  }

  override async find(projectId: string): Promise<ProjectWorkflow | null> {
    return this.restored(await this.database.one<Row>(`${ROW} WHERE project_id = $1`, [projectId]));
  }

  override async findLocked(projectId: string): Promise<ProjectWorkflow | null> {
    this.database.requireTransaction();
    return this.restored(
      await this.database.one<Row>(`${ROW} WHERE project_id = $1 FOR UPDATE`, [projectId]),
    );
  }

  override async slotColumns(projectId: string): Promise<SlotColumns> {
    const rows = await this.database.query<{ slot: string; column: string | null }>(
      'SELECT slot_key AS slot, column_id AS column FROM board.project_slot WHERE project_id = $1',
      [projectId],
    );
    return new Map(rows.map(({ slot, column }) => [slot, column]));
  }

  override async add({ state }: ProjectWorkflow, slots: SlotColumns): Promise<void> {
    await this.database.query(
      `INSERT INTO board.project_workflow (project_id, template_key, template_version, snapshot, digest, values,
         enabled, version, bound_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        state.projectId,
        state.template.key,
        state.template.version,
        JSON.stringify(state.snapshot),
        state.digest,
        JSON.stringify(state.values),
        state.enabled,
        state.version,
        state.boundAt,
      ],
    );
    await this.database.query(
      `INSERT INTO board.project_slot (project_id, slot_key, column_id)
       SELECT $1, slot, column_id FROM unnest($2::text[], $3::uuid[]) AS given (slot, column_id)`,
      [state.projectId, [...slots.keys()], [...slots.values()]],
    );
  }

  override async save({ state }: ProjectWorkflow): Promise<void> {
    const { projectId, template, digest } = state;
    await this.database.query(
      `UPDATE board.project_workflow SET template_key = $2, template_version = $3, digest = $4, values = $5,
         enabled = $6, version = $7, snapshot = CASE WHEN digest = $4 THEN snapshot ELSE $8::jsonb END
       WHERE project_id = $1`,
      [
        projectId,
        template.key,
        template.version,
        digest,
        JSON.stringify(state.values),
        state.enabled,
        state.version,
        JSON.stringify(state.snapshot),
      ],
    );
    await this.database.query(
      `WITH gone AS (DELETE FROM board.project_slot WHERE project_id = $1 AND slot_key <> ALL ($2::text[]))
       INSERT INTO board.project_slot (project_id, slot_key)
       SELECT $1, slot FROM unnest($2::text[]) AS slot ON CONFLICT DO NOTHING`,
      [projectId, template.slots.map(({ key }) => key)],
    );
  }

  override async linkSlot(projectId: string, slot: string, columnId: string): Promise<void> {
    // A statement that failed would end the transaction, so a taken column is left out rather than hit.
    const rows = await this.database.query(
      `UPDATE board.project_slot SET column_id = $3 WHERE project_id = $1 AND slot_key = $2
         AND NOT EXISTS (SELECT 1 FROM board.project_slot WHERE column_id = $3 AND slot_key <> $2)
       RETURNING slot_key`,
      [projectId, slot, columnId],
    );
    if (rows.length === 0) {
      throw conflict('taken', 'That column is the place of another slot. Choose another column.');
    }
  }

  override async emptySlotOf(projectId: string, columnId: string): Promise<string | null> {
    const row = await this.database.one<{ slot: string }>(
      `UPDATE board.project_slot SET column_id = NULL WHERE project_id = $1 AND column_id = $2
       RETURNING slot_key AS slot`,
      [projectId, columnId],
    );
    return row?.slot ?? null;
  }

  override async boundBelow(templateKey: string, version: number, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT project_id AS id FROM board.project_workflow WHERE template_key = $1 AND template_version < $2
       ORDER BY project_id LIMIT $3`,
      [templateKey, version, limit],
    );
    return rows.map(({ id }) => id);
  }

  private async restored(row: Row | null): Promise<ProjectWorkflow | null> {
    if (row === null) return null;
    const { template, data } = await this.templates.of(row.digest, row.projectId);
    return ProjectWorkflow.restore({ ...row, template, snapshot: data });
  }
}
