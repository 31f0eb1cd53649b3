import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import type { PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import {
  type NewArtifact,
  type StoredVersion,
  VersionStore,
} from '#src/artifacts/library/application/ports/version-store.js';
import { WorkspaceChoice } from '#src/artifacts/library/application/ports/workspace-choice.js';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { LoupeApp } from './loupe-app.js';
import { adminEnv } from './settled-server.js';
import { until } from './until.js';

const ids = new UuidV7Ids();
const ADMIN: PersonActor = { kind: 'person', personId: ids.next(), sessionId: 'console', isAdmin: true };

/** A server with one project, its owner, and artifacts that tests put there without the ways in that others test. */
export class PreviewStage {
  private constructor(
    readonly app: LoupeApp,
    readonly owner: PersonActor,
    readonly projectId: string,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<PreviewStage> {
    const app = await LoupeApp.start({ env: { ...adminEnv, ...env } });
    const owner = await app.person('Ada Owner');
    const stage = new PreviewStage(app, owner, await app.project(owner, 'Previews'));
    await stage.flag('artifacts.enabled', true);
    return stage;
  }

  stop(): Promise<void> {
    return this.app.stop();
  }

  async flag(name: string, value: boolean): Promise<void> {
    await this.app.get(SetFlag).execute(ADMIN, { name, value });
    await until(() => this.app.get(Flags).isOn(name) === value);
  }

  /** A new artifact with these files as version 1. */
  async artifact(
    files: Readonly<Record<string, string | Uint8Array>>,
    given: Partial<NewArtifact> = {},
  ): Promise<StoredVersion> {
    const { owner, projectId } = this;
    const workspaceId = await this.app.get(WorkspaceChoice).choose(owner, projectId, undefined);
    return this.store(files, {
      create: {
        artifactId: ids.next(),
        projectId,
        workspaceId,
        name: 'Till',
        description: '',
        artifactType: 'app',
        framework: given.artifactType === undefined ? 'html' : null,
        origin: 'push',
        entryWish: null,
        ...given,
      },
    });
  }

  /** The next version. */
  async push(
    artifactId: string,
    files: Readonly<Record<string, string | Uint8Array>>,
  ): Promise<StoredVersion> {
    return this.store(files, { artifactId });
  }

  /** Signs a browser in as this person. */
  async signIn(context: BrowserContext, personId = this.owner.personId, url = this.app.url): Promise<void> {
    const cookie = randomBytes(32).toString('base64url');
    await this.app.db.database.query(
      `INSERT INTO identity.web_sessions (id, person_id, expires_at, csrf_secret) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [createHash('sha256').update(cookie).digest('hex'), personId, randomBytes(32).toString('base64url')],
    );
    await context.addCookies([
      { name: 'loupe_session', value: cookie, url, httpOnly: true, sameSite: 'Lax' },
    ]);
  }

  private async store(
    files: Readonly<Record<string, string | Uint8Array>>,
    target: { create: NewArtifact } | { artifactId: string },
  ): Promise<StoredVersion> {
    const blobs = this.app.get(ArtifactBlobs);
    const candidates = await Promise.all(
      Object.entries(files).map(async ([path, content]) => ({
        path,
        blob: await blobs.put(Buffer.from(content), { maxBytes: 10_000_000 }),
      })),
    );
    return this.app.get(VersionStore).store({
      target,
      files: candidates,
      notes: '',
      source: 'push',
      maker: { kind: 'person', personId: this.owner.personId },
      actor: this.owner,
    });
  }
}

/** A server of somebody else that remembers everything that reaches it. */
export class Witness {
  readonly seen: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Witness> {
    const server = createServer((request, response) => {
      witness.seen.push(`${request.method} ${request.url}`);
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', request.url?.endsWith('.js') ? 'text/javascript' : 'text/html');
      response.end('1');
    });
    server.on('upgrade', (request: IncomingMessage, socket) => {
      witness.seen.push(`UPGRADE ${request.url}`);
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const witness = new Witness(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return witness;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }
}
