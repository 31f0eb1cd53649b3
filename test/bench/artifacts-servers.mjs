// One server of the bench of artifacts, in a process of its own: node test/bench/artifacts-servers.mjs loupe|static
// Prints its facts as JSON when it is ready, and ends when its input ends.
import 'reflect-metadata';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { startBenchServer } from './bench-server.mjs';

const BYTES = 1_048_576;
const FEW = 100;
/** What a project may have. */
const FULL = 2_000;
const MANY = process.env.BENCH_SMALL ? 200 : 50_000;
const FILLED_AT_ONCE = 5_000;

/** A script as bundlers write it. */
const TEXT = 'const label = "Overview"; // a line as people write it\n'.repeat(BYTES / 32).slice(0, BYTES);
/** The same with signs of other alphabets in it. */
const WORDS = TEXT.replaceAll('Overview', 'Übersicht').slice(0, BYTES - BYTES / 32);

const servers = { loupe, static: staticFiles };
const started = await servers[process.argv[2]]();
process.stdout.write(`${JSON.stringify(started.facts)}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await started.stop();
process.exit(0);

/** The whole product on its real database, with a connection of an agent. */
async function loupe() {
  const { SetFlag } = await import('#src/platform/application/commands/set-flag.js');
  const { CreateProject } = await import('#src/projects/application/commands/create-project.js');
  const { ArtifactBlobs } = await import('#src/artifacts/library/application/ports/artifact-blobs.js');
  const { VersionStore } = await import('#src/artifacts/library/application/ports/version-store.js');
  const { WorkspaceChoice } = await import('#src/artifacts/library/application/ports/workspace-choice.js');

  const server = await startBenchServer();
  const { get, database } = server;
  const actor = { ...(await server.person('Bench')), isAdmin: true };
  const { personId } = actor;
  for (const [name, value] of [
    ['artifacts.enabled', true],
    ['rate_limit.api_per_minute', 100_000],
  ])
    await get(SetFlag)
      .execute(actor, { name, value })
      .catch(() => undefined);

  const projects = {};
  for (const [name, count] of [
    ['few', FEW],
    ['full', FULL],
    ['many', MANY],
  ]) {
    const project = await get(CreateProject).execute(actor, { name: `Bench ${name}` });
    const workspaceId = await get(WorkspaceChoice).choose(actor, project.id, undefined);
    await fill(database, project.id, workspaceId, personId, count);
    projects[name] = {
      projectId: project.id,
      workspaceId,
      token: await connection(database, personId, project.id),
    };
  }
  const put = (text) => get(ArtifactBlobs).put(Buffer.from(text), { maxBytes: 2 * BYTES });
  const blob = await put(TEXT);
  const words = await put(WORDS);
  const stored = await get(VersionStore).store({
    target: {
      create: {
        artifactId: crypto.randomUUID(),
        projectId: projects.few.projectId,
        workspaceId: projects.few.workspaceId,
        name: 'Large',
        description: '',
        artifactType: 'app',
        framework: 'html',
        origin: 'push',
        entryWish: null,
      },
    },
    files: [
      { path: 'app.js', blob },
      { path: 'words.js', blob: words },
    ],
    notes: '',
    source: 'push',
    maker: { kind: 'person', personId },
    actor,
  });
  await database.query('VACUUM ANALYZE artifacts.artifact');
  const address = new URL(await server.app.getUrl());
  return {
    facts: {
      url: `http://127.0.0.1:${address.port}/mcp`,
      host: 'localhost:3000',
      projects,
      artifactId: stored.artifactId,
      texts: { 'app.js': TEXT, 'words.js': WORDS },
    },
    stop: () => server.stop(),
  };
}

/** Artifacts of two versions and three files each, told apart by time. */
async function fill(database, projectId, workspaceId, personId, count) {
  for (let from = 1; from <= count; from += FILLED_AT_ONCE) {
    const to = Math.min(from + FILLED_AT_ONCE - 1, count);
    await fillSome(database, projectId, workspaceId, personId, from, to);
  }
}

/** A part of it, which a busy machine writes within the time of one statement. */
async function fillSome(database, projectId, workspaceId, personId, from, to) {
  await database.query(
    `WITH made AS (
       INSERT INTO artifacts.artifact (id, project_id, workspace_id, name, artifact_type, framework, origin, status,
         latest_version, latest_entry_path, latest_file_count, latest_total_bytes, created_at, updated_at,
         created_by_kind, created_by)
       SELECT gen_random_uuid(), $1, $2, 'Prototype ' || n, 'app', 'html', 'push', 'ready', 2, 'index.html', 3, 300,
              timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second',
              'person', $3
         FROM generate_series($4::int, $5::int) n RETURNING id),
     versions AS (
       INSERT INTO artifacts.version (id, artifact_id, number, source, entry_path, file_count, total_bytes,
         manifest_digest, created_at, created_by_kind, created_by)
       SELECT gen_random_uuid(), id, number, 'push', 'index.html', 3, 300, 'none', now(), 'person', $3
         FROM made, generate_series(1, 2) number RETURNING id)
     INSERT INTO artifacts.file (version_id, path, sha256, bytes, content_type, kind)
     SELECT id, path, md5(id::text || path), 100, 'text/html', 'text'
       FROM versions, unnest(ARRAY['index.html', 'app.js', 'app.css']) path`,
    [projectId, workspaceId, personId, from, to],
  );
}

async function connection(database, personId, projectId) {
  const connectionId = crypto.randomUUID();
  const token = randomBytes(32).toString('base64url');
  const audience = 'http://localhost:3000/mcp';
  await database.query(
    `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
     VALUES ($1, $2, 'https://agent.example/client.json', 'Bench', '{mcp}', $3, $4, now(), now() + interval '1 day')`,
    [connectionId, personId, projectId, audience],
  );
  await database.query(
    `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
     VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
    [
      createHash('sha256').update(token).digest('hex'),
      connectionId,
      JSON.stringify({ aud: audience, scope: 'mcp' }),
    ],
  );
  return token;
}

/**
 * The file from the static file server of Express, and from the least that could be called one, which knows no types, no
 * validators and no path but this.
 */
async function staticFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-static-'));
  const path = join(folder, 'app.js');
  writeFileSync(path, TEXT);
  const full = createServer(express().use(express.static(folder)));
  const bare = createServer((request, response) => {
    const { size } = statSync(path);
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(Number(to ?? size - 1), size - 1);
    response.writeHead(from === undefined ? 200 : 206, {
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': end - start + 1,
    });
    createReadStream(path, { start, end }).pipe(response);
  });
  const addressOf = async (server) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${server.address().port}/app.js`;
  };
  return {
    facts: { url: await addressOf(full), bareUrl: await addressOf(bare) },
    stop: async () => {
      for (const server of [full, bare]) server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
