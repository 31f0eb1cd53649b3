import { createHash, randomUUID } from 'node:crypto';
import type { Seen } from './fake-server.js';
import { FakeServer, sendJson } from './fake-server.js';

interface Row {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

interface Manifest {
  readonly artifactId?: string;
  readonly name?: string;
  readonly workspaceId?: string;
  readonly notes?: string;
  readonly entryPath?: string;
  readonly cardNumbers: readonly number[];
  readonly files: readonly Row[];
}

interface Artifact {
  readonly id: string;
  readonly name: string;
  readonly versions: string[];
  files: readonly Row[];
}

/** The server side of a push as `artifacts.md` 9 tells it, kept in memory. */
export class FakeArtifacts {
  static readonly PROJECT = '0192f3c4-5d6e-7f80-9123-456789abcdef';
  readonly blobs = new Map<string, Buffer>();
  readonly artifacts = new Map<string, Artifact>();
  readonly pushes = new Map<string, { readonly manifest: Manifest; answer?: object }>();
  /** A refusal of each upload or commit, as long as it is set. */
  broken: ((seen: Seen) => number | null) | null = null;
  /** How much one request may bring; null for a server that takes files one by one. */
  batch: { readonly files: number; readonly bytes: number; readonly fileBytes: number } | null = null;
  /** A file that is refused when it comes with others. */
  refusedHash: string | null = null;
  mostAtOnce = 0;
  private atOnce = 0;

  private constructor(readonly server: FakeServer) {
    server.answer((seen, response) => this.answer(seen, response));
  }

  static async start(): Promise<FakeArtifacts> {
    return new FakeArtifacts(await FakeServer.start());
  }

  get url(): string {
    return this.server.url;
  }

  get uploads(): Seen[] {
    return this.server.seen.filter(({ method }) => method === 'PUT');
  }

  textOf(artifactId: string, path: string): string | undefined {
    const row = this.artifacts.get(artifactId)?.files.find((file) => file.path === path);
    return row && this.blobs.get(row.sha256)?.toString();
  }

  private async answer(seen: Seen, response: Parameters<typeof sendJson>[0]): Promise<unknown> {
    const refused = this.broken?.(seen) ?? null;
    if (refused !== null) return sendJson(response, refused, { error: 'refused', message: 'Refused.' });
    if (seen.path === '/api/me') {
      const project = { id: FakeArtifacts.PROJECT, slug: 'app', name: 'App', role: 'owner' };
      const connection = { id: 'c', label: null, expiresAt: '2027-01-01T00:00:00Z' };
      return sendJson(response, 200, {
        person: { id: 'p', displayName: 'Ada' },
        connection,
        projects: [project],
      });
    }
    if (seen.path === `/api/projects/${FakeArtifacts.PROJECT}/artifact-pushes`) {
      return this.open(JSON.parse(seen.body.toString()), response);
    }
    if (this.batch && /^\/api\/artifact-pushes\/[^/]+\/blobs$/.test(seen.path))
      return this.putTogether(seen.body, response);
    const put = /^\/api\/artifact-pushes\/([^/]+)\/blobs\/([0-9a-f]{64})$/.exec(seen.path);
    if (put) return this.put(put[2]!, seen.body, response);
    const commit = /^\/api\/artifact-pushes\/([^/]+)\/commit$/.exec(seen.path);
    if (commit) return this.commit(commit[1]!, response);
    if (seen.path.startsWith(`/api/projects/${FakeArtifacts.PROJECT}/artifacts?`)) return this.list(response);
    const one = this.artifacts.get(seen.path.split('/').at(-1)!);
    if (one) return sendJson(response, 200, { name: one.name, url: `${this.url}/artifacts/${one.id}` });
    return sendJson(response, 404, { error: 'not_found', message: 'Artifact not found or not accessible.' });
  }

  private open(manifest: Manifest, response: Parameters<typeof sendJson>[0]): unknown {
    if (manifest.artifactId && !this.artifacts.has(manifest.artifactId)) {
      return sendJson(response, 404, {
        error: 'not_found',
        message: 'Artifact not found or not accessible.',
      });
    }
    const pushId = randomUUID();
    this.pushes.set(pushId, { manifest });
    const missing = [...new Set(manifest.files.map(({ sha256 }) => sha256))].filter(
      (sha256) => !this.isStored(sha256),
    );
    return sendJson(response, 201, {
      pushId,
      missing,
      ...(this.batch ? { batch: this.batch } : {}),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
  }

  /** Only what a version of the project holds counts as present. */
  private isStored(sha256: string): boolean {
    return [...this.artifacts.values()].some(({ files }) => files.some((file) => file.sha256 === sha256));
  }

  private async put(sha256: string, body: Buffer, response: Parameters<typeof sendJson>[0]): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise((done) => setTimeout(done, 10));
    this.atOnce -= 1;
    if (createHash('sha256').update(body).digest('hex') !== sha256) {
      return sendJson(response, 422, { error: 'invalid', message: 'The bytes do not match their hash.' });
    }
    this.blobs.set(sha256, body);
    response.writeHead(204).end();
  }

  /** Files one after the other, each behind a line of its hash and size. */
  private async putTogether(body: Buffer, response: Parameters<typeof sendJson>[0]): Promise<void> {
    const taken: string[] = [];
    const refused: object[] = [];
    for (let at = 0; at < body.length; ) {
      const end = body.indexOf('\n', at);
      const [sha256 = '', size] = body.toString('latin1', at, end).split(' ');
      at = end + 1 + Number(size);
      const content = body.subarray(end + 1, at);
      if (this.refusedHash === sha256) {
        refused.push({ sha256, path: null, error: 'wrong_bytes', message: 'These are other bytes.' });
        continue;
      }
      if (createHash('sha256').update(content).digest('hex') !== sha256)
        throw new Error('A wrong batch came.');
      this.blobs.set(sha256, content);
      taken.push(sha256);
    }
    return sendJson(response, 200, { taken, refused });
  }

  private commit(pushId: string, response: Parameters<typeof sendJson>[0]): unknown {
    const push = this.pushes.get(pushId);
    if (!push) return sendJson(response, 410, { error: 'expired', message: 'The push has expired.' });
    if (push.answer) return sendJson(response, 200, push.answer);
    const { manifest } = push;
    if (manifest.files.some(({ sha256 }) => !this.blobs.has(sha256))) {
      return sendJson(response, 422, { error: 'invalid', message: 'A blob is missing.' });
    }
    const id = manifest.artifactId ?? randomUUID();
    const artifact = this.artifacts.get(id) ?? { id, name: manifest.name ?? '', versions: [], files: [] };
    const unchanged =
      artifact.versions.length > 0 && JSON.stringify(artifact.files) === JSON.stringify(manifest.files);
    if (!unchanged) {
      artifact.versions.push(pushId);
      artifact.files = manifest.files;
      this.artifacts.set(id, artifact);
    }
    push.answer = {
      artifactId: id,
      version: artifact.versions.length,
      revision: createHash('sha1').update(artifact.versions.at(-1)!).digest('hex'),
      unchanged,
      url: `${this.url}/artifacts/${id}`,
      previewUrl: `${this.url}/artifacts/${id}/preview`,
      skippedFiles: [],
    };
    return sendJson(response, 200, push.answer);
  }

  private list(response: Parameters<typeof sendJson>[0]): unknown {
    const artifacts = [...this.artifacts.values()].map(({ id, name, versions, files }) => ({
      artifactId: id,
      name,
      artifactType: 'app',
      status: 'ready',
      latestVersion: versions.length,
      fileCount: files.length,
      archived: false,
    }));
    return sendJson(response, 200, { artifacts, page: 1, perPage: 20, hasMore: false });
  }
}
