import { Database } from '#libs/persistence/database.js';

/** A conversation as pages show it. */
export interface ThreadAnswer {
  readonly id: string;
  /** What the agent's program calls itself; null when nobody knows. */
  readonly client: string | null;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly count: number;
  /** The worker run that the conversation was; null for an interactive session. */
  readonly run: null;
}

interface Row {
  readonly id: string;
  readonly client_name: string | null;
  readonly created_at: Date;
  readonly last_at: Date;
  readonly artifact_count: number;
}

const COLUMNS = 'id, client_name, created_at, last_at, artifact_count';

export async function threadsByIds(database: Database, ids: readonly string[]): Promise<ThreadAnswer[]> {
  if (ids.length === 0) return [];
  return answers(
    await database.query<Row>(
      `SELECT ${COLUMNS} FROM artifacts.typed_thread WHERE id = ANY($1) ORDER BY created_at DESC, id DESC`,
      [ids],
    ),
  );
}

/** Conversations that hold anything, newest first. */
export async function threadsOfProject(
  database: Database,
  projectId: string,
  limit: number,
): Promise<ThreadAnswer[]> {
  return answers(
    await database.query<Row>(
      `SELECT ${COLUMNS} FROM artifacts.typed_thread
        WHERE project_id = $1 AND artifact_count > 0 ORDER BY created_at DESC, id DESC LIMIT $2`,
      [projectId, limit],
    ),
  );
}

function answers(rows: readonly Row[]): ThreadAnswer[] {
  return rows.map((row) => ({
    id: row.id,
    client: row.client_name,
    startedAt: row.created_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    count: row.artifact_count,
    run: null,
  }));
}
