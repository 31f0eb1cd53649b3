import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  type NewThread,
  type NewTypedArtifact,
  TypedArtifacts,
} from '../application/ports/typed-artifacts.js';
import { PER_PROJECT } from '../domain/limits.js';
import type { Thread } from '../domain/typed-artifact.js';

/** Rows of one statement of a purge. */
const BATCH = 500;

@Injectable()
export class PostgresTypedArtifacts extends TypedArtifacts {
  constructor(private readonly database: Database) {
    super();
  }

  override async lockThread(thread: NewThread): Promise<Thread> {
    this.database.requireTransaction();
    // The update of a thread that exists is what locks its row.
    const row = await this.database.one<{
      id: string;
      last_turn_index: number | null;
      artifact_count: number;
    }>(
      `INSERT INTO artifacts.typed_thread AS t
         (id, project_id, person_id, session_key, client_name, created_at, last_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (project_id, person_id, session_key) DO UPDATE
         SET client_name = coalesce(excluded.client_name, t.client_name), last_at = excluded.last_at
       RETURNING id, last_turn_index, artifact_count`,
      [
        thread.id,
        thread.projectId,
        thread.personId,
        thread.sessionKey,
        thread.clientName?.slice(0, 200) ?? null,
        thread.at,
      ],
    );
    return { id: row!.id, lastTurnIndex: row!.last_turn_index, artifactCount: row!.artifact_count };
  }

  override async add(artifact: NewTypedArtifact): Promise<number | null> {
    const counted = await this.database.one<{ last_id: number }>(
      `INSERT INTO artifacts.typed_count AS c (project_id, last_id, artifact_count) VALUES ($1, 1, 1)
       ON CONFLICT (project_id) DO UPDATE
         SET last_id = c.last_id + 1, artifact_count = c.artifact_count + 1
         WHERE c.artifact_count < ${PER_PROJECT}
       RETURNING last_id`,
      [artifact.projectId],
    );
    if (!counted) return null;
    await this.database.query(
      `INSERT INTO artifacts.typed_artifact (project_id, id, thread_id, type, title, description, turn_index, payload,
         created_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        artifact.projectId,
        counted.last_id,
        artifact.threadId,
        artifact.type,
        artifact.title,
        artifact.description,
        artifact.turnIndex,
        artifact.payload,
        artifact.createdAt,
        artifact.createdBy,
      ],
    );
    await this.database.query(
      `UPDATE artifacts.typed_thread SET artifact_count = artifact_count + 1, last_turn_index = $2 WHERE id = $1`,
      [artifact.threadId, artifact.turnIndex],
    );
    return counted.last_id;
  }

  override async remove(
    projectId: string,
    id: number,
  ): Promise<{ readonly threadId: string; readonly type: string } | null> {
    const removed = await this.database.one<{ thread_id: string; type: string }>(
      'DELETE FROM artifacts.typed_artifact WHERE project_id = $1 AND id = $2 RETURNING thread_id, type',
      [projectId, id],
    );
    if (!removed) return null;
    // Writers take the conversation before the counter; so does this, or two of them could wait for each other.
    await this.database.query(
      'UPDATE artifacts.typed_thread SET artifact_count = artifact_count - 1 WHERE id = $1',
      [removed.thread_id],
    );
    await this.database.query(
      'UPDATE artifacts.typed_count SET artifact_count = artifact_count - 1 WHERE project_id = $1',
      [projectId],
    );
    return { threadId: removed.thread_id, type: removed.type };
  }

  override async purgeProject(projectId: string): Promise<void> {
    for (let removed = BATCH; removed === BATCH; ) {
      const rows = await this.database.query(
        `DELETE FROM artifacts.typed_artifact WHERE project_id = $1 AND id IN
           (SELECT id FROM artifacts.typed_artifact WHERE project_id = $1 ORDER BY id LIMIT ${BATCH}) RETURNING 1`,
        [projectId],
      );
      removed = rows.length;
    }
    await this.database.query('DELETE FROM artifacts.typed_thread WHERE project_id = $1', [projectId]);
    await this.database.query('DELETE FROM artifacts.typed_count WHERE project_id = $1', [projectId]);
  }

  override async forgetPerson(personId: string): Promise<void> {
    await this.database.query('UPDATE artifacts.typed_artifact SET created_by = NULL WHERE created_by = $1', [
      personId,
    ]);
    await this.database.query('UPDATE artifacts.typed_thread SET person_id = NULL WHERE person_id = $1', [
      personId,
    ]);
  }
}
