import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { GetArtifact } from './get-artifact.js';
import { ListLibraryPage } from './library-page.js';
import { ListArtifacts } from './list-artifacts.js';
import { ReadArtifactFile } from './read-artifact-file.js';

const PROJECTS = 20;
const ARTIFACTS_EACH = 1_000;

let testDatabase: TestDatabase;
let rig: LibraryRig;

/** Statements that the use case sent, each with the way in which PostgreSQL finds its rows. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: [string, readonly unknown[]][] = [];
  const database = testDatabase.database;
  const spies = (['hot', 'query'] as const).map((method) => {
    const original = database[method].bind(database);
    return jest.spyOn(database, method).mockImplementation(async (sql, parameters = []) => {
      sent.push([sql, parameters]);
      return original(sql, parameters) as never;
    });
  });
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return Promise.all(
    sent.map(async ([sql, parameters]) => {
      const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }),
  );
}

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
  rig = await LibraryRig.start(testDatabase.database);
  await testDatabase.database.query(
    `WITH projects AS (
       INSERT INTO artifacts.workspace (id, project_id, name, is_general, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'General', true, now() FROM generate_series(1, $1::int)
       RETURNING id, project_id),
     rows AS (
       SELECT id AS workspace_id, project_id FROM projects
       UNION ALL SELECT id, project_id FROM artifacts.workspace WHERE project_id = $3),
     made AS (
       INSERT INTO artifacts.artifact (id, project_id, workspace_id, name, artifact_type, origin, status,
         latest_version, latest_file_count, latest_total_bytes, created_at, updated_at, created_by_kind)
       SELECT gen_random_uuid(), project_id, workspace_id, 'Prototype ' || n, 'app', 'push', 'ready', 1, 1, 10,
              timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01', 'agent'
       FROM rows, generate_series(1, $2::int) n RETURNING id),
     versions AS (
       INSERT INTO artifacts.version (id, artifact_id, number, source, file_count, total_bytes, manifest_digest,
         created_at, created_by_kind)
       SELECT gen_random_uuid(), id, 1, 'push', 1, 10, 'x', now(), 'agent' FROM made RETURNING id)
     INSERT INTO artifacts.file (version_id, path, sha256, bytes, content_type, kind)
     SELECT id, 'index.html', 'x', 10, 'text/html', 'text' FROM versions`,
    [PROJECTS, ARTIFACTS_EACH, rig.projectId],
  );
  await testDatabase.database.query(
    'ANALYZE artifacts.artifact, artifacts.version, artifacts.file, artifacts.workspace',
  );
}, 120_000);
afterAll(async () => {
  await rig?.stop();
  await testDatabase?.stop();
});

describe('finding artifacts among those of many projects', () => {
  it('reads a page of the list by its index, in one statement', async () => {
    const plans = await plansOf(() =>
      rig.get(ListArtifacts).execute(rig.agent, { projectId: rig.projectId }),
    );
    expect(plans).toHaveLength(1);
    // Either has the order of the list; without archived ones they cost the same.
    expect(plans[0]).toMatch(/Index Scan using artifact_(active|kept)/);
    expect(plans[0]).not.toMatch(/Seq Scan on (artifact|version|file)\b/);
  });

  it('reads the library in both orders by an index', async () => {
    for (const [sort, index] of [
      ['newest', /Index Scan using artifact_(active|kept)/],
      ['changed', /Index Scan using artifact_changed/],
    ] as const) {
      const plans = await plansOf(() =>
        rig.get(ListLibraryPage).execute(rig.owner, {
          projectId: rig.projectId,
          sort,
          archived: sort === 'changed' ? 'true' : null,
        }),
      );
      expect(plans[0]).toMatch(index);
      for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (artifact|version|file)\b/);
    }
  });

  it('reads one artifact, and one file, by keys alone, in a number of statements that does not grow', async () => {
    const { artifacts } = await rig.get(ListArtifacts).execute(rig.agent, { projectId: rig.projectId });
    const input = { projectId: rig.projectId, artifactId: artifacts[0]!.artifactId };
    const one = await plansOf(() => rig.get(GetArtifact).execute(rig.agent, input));
    expect(one.length).toBeLessThanOrEqual(7);
    const file = await plansOf(() =>
      rig
        .get(ReadArtifactFile)
        .execute(rig.agent, { ...input, path: 'none.html' })
        .catch(() => undefined),
    );
    expect(file).toHaveLength(1);
    for (const plan of [...one, ...file]) expect(plan).not.toMatch(/Seq Scan on (artifact|version|file)\b/);
  });
});
