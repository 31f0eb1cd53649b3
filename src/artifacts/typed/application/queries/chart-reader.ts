import { Injectable } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import type { TypedArtifactType, TypedPayload } from '../../domain/payload.js';

export interface StoredChart {
  readonly id: number;
  readonly threadId: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly typed: TypedPayload;
}

interface Row {
  readonly thread_id: string;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turn_index: number;
  readonly payload: unknown;
  readonly created_at: Date;
  readonly created_by: string | null;
}

/** Reads one typed artifact of a project, for people. */
@Injectable()
export class ChartReader {
  constructor(private readonly database: Database) {}

  /** What names one, without its payload. @throws DomainError `not-found`. */
  async name(
    projectId: string,
    id: number,
  ): Promise<{ readonly title: string | null; readonly type: TypedArtifactType }> {
    const row = await this.database.one<Pick<Row, 'title' | 'type'>>(
      'SELECT title, type FROM artifacts.typed_artifact WHERE project_id = $1 AND id = $2',
      [projectId, id],
    );
    if (!row) throw notFound('Chart');
    return row;
  }

  /** @throws DomainError `not-found`, the same for unknown and foreign ones. */
  async read(projectId: string, id: number): Promise<StoredChart> {
    const row = await this.database.one<Row>(
      `SELECT thread_id, type, title, description, turn_index, payload, created_at, created_by
         FROM artifacts.typed_artifact WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    if (!row) throw notFound('Chart');
    return {
      id,
      threadId: row.thread_id,
      title: row.title,
      description: row.description,
      turnIndex: row.turn_index,
      createdAt: row.created_at,
      createdBy: row.created_by,
      // It was held to the schema of its type before it was stored.
      typed: { type: row.type, payload: row.payload } as TypedPayload,
    };
  }
}
