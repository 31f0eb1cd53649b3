import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { GenerationJobs } from '../application/ports/generation-jobs.js';
import { GenerationJob, type JobState } from '../domain/generation-job.js';
import type { GenerationRequest } from '../domain/generation-request.js';

const PAGE = 500;
const ACTIVE = "state IN ('queued', 'running')";
const JOB = `SELECT id, artifact_id, project_id, workspace_id, request, request_identity, generator, state, progress,
  error, notes, requested_by_kind, requested_by, created_at, started_at, finished_at, base_version FROM artifacts.generation_job`;

interface Row {
  readonly id: string;
  readonly artifact_id: string;
  readonly project_id: string;
  readonly workspace_id: string;
  readonly request: GenerationRequest;
  readonly request_identity: string;
  readonly generator: string;
  readonly state: JobState;
  readonly progress: number;
  readonly error: string | null;
  readonly notes: string[];
  readonly requested_by_kind: 'person' | 'agent';
  readonly requested_by: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly base_version: number | null;
}

@Injectable()
export class PostgresGenerationJobs extends GenerationJobs {
  constructor(private readonly database: Database) {
    super();
  }

  override async lockAndCountActive(personId: string): Promise<number> {
    this.database.requireTransaction();
    await this.database.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('artifacts.generation:' || $1, 0))",
      [personId],
    );
    const row = await this.database.one<{ active: number }>(
      `SELECT count(*) AS active FROM artifacts.generation_job WHERE requested_by = $1 AND ${ACTIVE}`,
      [personId],
    );
    return row!.active;
  }

  override async add({ facts, progress }: GenerationJob): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO artifacts.generation_job (id, artifact_id, project_id, workspace_id, type, request, request_identity,
         generator, state, progress, notes, requested_by_kind, requested_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       ON CONFLICT (project_id, request_identity) WHERE ${ACTIVE} DO NOTHING RETURNING 1`,
      [
        facts.jobId,
        facts.artifactId,
        facts.projectId,
        facts.workspaceId,
        facts.request.type,
        JSON.stringify(facts.request),
        facts.requestIdentity,
        facts.generator,
        progress.state,
        progress.progress,
        JSON.stringify(progress.notes),
        facts.requestedBy.kind,
        facts.requestedBy.personId,
        facts.createdAt,
      ],
    );
    return rows.length > 0;
  }

  override async activeOfIdentity(projectId: string, requestIdentity: string): Promise<GenerationJob | null> {
    return this.find(`WHERE project_id = $1 AND request_identity = $2 AND ${ACTIVE}`, [
      projectId,
      requestIdentity,
    ]);
  }

  override async hold(jobId: string): Promise<GenerationJob | null> {
    return this.find('WHERE id = $1 FOR UPDATE', [jobId]);
  }

  override async holdLatest(artifactId: string): Promise<GenerationJob | null> {
    return this.find('WHERE artifact_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE', [
      artifactId,
    ]);
  }

  override async latest(artifactId: string): Promise<GenerationJob | null> {
    return this.find('WHERE artifact_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1', [artifactId]);
  }

  override async save({ facts, progress }: GenerationJob): Promise<void> {
    await this.database.query(
      `UPDATE artifacts.generation_job
          SET state = $2, progress = $3, error = $4, notes = $5, started_at = $6, finished_at = $7,
              base_version = $8 WHERE id = $1`,
      [
        facts.jobId,
        progress.state,
        progress.progress,
        progress.error,
        JSON.stringify(progress.notes),
        progress.startedAt,
        progress.finishedAt,
        progress.baseVersion,
      ],
    );
  }

  override async keepSecret(jobId: string, sealed: string, expiresAt: Date): Promise<void> {
    await this.database.query(
      'INSERT INTO artifacts.generation_secret (job_id, sealed, expires_at) VALUES ($1, $2, $3)',
      [jobId, sealed, expiresAt],
    );
  }

  override async secretOf(jobId: string, at: Date): Promise<string | null> {
    const row = await this.database.one<{ sealed: string }>(
      'SELECT sealed FROM artifacts.generation_secret WHERE job_id = $1 AND expires_at > $2',
      [jobId, at],
    );
    return row?.sealed ?? null;
  }

  override async dropSecret(jobId: string): Promise<void> {
    await this.database.query('DELETE FROM artifacts.generation_secret WHERE job_id = $1', [jobId]);
  }

  override async dropSecretsOver(at: Date): Promise<void> {
    await this.database.query('DELETE FROM artifacts.generation_secret WHERE expires_at <= $1', [at]);
  }

  override async activeAfter(jobId: string | null): Promise<GenerationJob[]> {
    return this.list(`WHERE ${ACTIVE} AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT ${PAGE}`, [jobId]);
  }

  override async activeOfProject(projectId: string): Promise<GenerationJob[]> {
    return this.list(`WHERE project_id = $1 AND ${ACTIVE} ORDER BY id`, [projectId]);
  }

  override async purgeWithoutArtifact(): Promise<void> {
    await this.database.query(
      `DELETE FROM artifacts.generation_job AS job WHERE finished_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM artifacts.artifact WHERE id = job.artifact_id)`,
    );
  }

  override async purgeProject(projectId: string): Promise<void> {
    await this.database.query('DELETE FROM artifacts.generation_job WHERE project_id = $1', [projectId]);
  }

  override async forgetPerson(personId: string): Promise<void> {
    await this.database.query(
      'UPDATE artifacts.generation_job SET requested_by = NULL WHERE requested_by = $1',
      [personId],
    );
  }

  private async find(where: string, parameters: readonly unknown[]): Promise<GenerationJob | null> {
    return (await this.list(where, parameters))[0] ?? null;
  }

  private async list(where: string, parameters: readonly unknown[]): Promise<GenerationJob[]> {
    return (await this.database.query<Row>(`${JOB} ${where}`, parameters)).map(jobOf);
  }
}

function jobOf(row: Row): GenerationJob {
  return new GenerationJob(
    {
      jobId: row.id,
      artifactId: row.artifact_id,
      projectId: row.project_id,
      workspaceId: row.workspace_id,
      request: row.request,
      requestIdentity: row.request_identity,
      generator: row.generator,
      requestedBy: { kind: row.requested_by_kind, personId: row.requested_by },
      createdAt: row.created_at,
    },
    {
      state: row.state,
      progress: row.progress,
      error: row.error,
      notes: row.notes,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
      baseVersion: row.base_version,
    },
  );
}
