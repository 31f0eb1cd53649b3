import type { AddressInfo } from 'node:net';
import express from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import type { Database } from '#libs/persistence/database.js';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '#src/artifacts/library/application/ports/artifact-directory.js';
import { LibraryHooks } from '#src/artifacts/library/application/ports/library-hooks.js';
import { LibraryRig } from '#src/artifacts/library/testing/library-rig.js';
import { BuildPreview } from '../application/commands/build-preview.js';
import { PublishArtifact } from '../application/commands/publish-artifact.js';
import { SetPreviewHosts } from '../application/commands/set-preview-hosts.js';
import { UnpublishArtifact } from '../application/commands/unpublish-artifact.js';
import type { PreviewBuilder } from '../application/ports/preview-builder.js';
import { PreviewAudience } from '../application/preview-audience.js';
import { GetPreviewPage } from '../application/queries/get-preview-page.js';
import { GetPreviewTicket } from '../application/queries/get-preview-ticket.js';
import { ResolvePreview } from '../application/queries/resolve-preview.js';
import { VersionPreviews } from '../application/version-previews.js';
import { ForkedPreviewBuilder } from '../infrastructure/build/forked-preview-builder.js';
import { ConfiguredPreviewAddresses } from '../infrastructure/configured-preview-addresses.js';
import { HmacTicketSigner } from '../infrastructure/hmac-ticket-signer.js';
import { PostgresPreviewBuilds } from '../infrastructure/postgres-preview-builds.js';
import { PostgresPreviewHosts } from '../infrastructure/postgres-preview-hosts.js';
import { PostgresPublications } from '../infrastructure/postgres-publications.js';
import { PreviewDoor } from '../interface/http/preview-door.js';

export interface PreviewRigOptions {
  /** Variables of the environment beside those that every instance needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly builder?: PreviewBuilder;
}

/** Previews over the real library, on a real database, behind a real port of the loopback. */
export class PreviewRig {
  private constructor(
    readonly library: LibraryRig,
    readonly hooks: LibraryHooks,
    readonly url: string,
    readonly signer: HmacTicketSigner,
    readonly builds: PostgresPreviewBuilds,
    readonly publications: PostgresPublications,
    readonly tickets: GetPreviewTicket,
    readonly pages: GetPreviewPage,
    readonly publish: PublishArtifact,
    readonly unpublish: UnpublishArtifact,
    readonly setHosts: SetPreviewHosts,
    readonly buildPreview: BuildPreview,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(database: Database, options: PreviewRigOptions = {}): Promise<PreviewRig> {
    const library = await LibraryRig.start(database);
    const { flags, clock, outbox, audit, live, access } = library;
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      APP_SECRET: 'a secret of tests that is long enough',
      APP_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      DEFAULT_URI: 'https://loupe.example',
      LOUPE_VAR_DIR: library.folder,
      ...options.env,
    });
    const directory = library.get(ArtifactDirectory);
    const blobs = library.get(ArtifactBlobs);
    const hooks = new LibraryHooks();
    const addresses = new ConfiguredPreviewAddresses(configuration);
    const signer = new HmacTicketSigner(new DerivedSecretBox(configuration));
    const builds = new PostgresPreviewBuilds(database, clock);
    const publications = new PostgresPublications(database);
    const hosts = new PostgresPreviewHosts(database, clock);
    const builder = options.builder ?? new ForkedPreviewBuilder(blobs, flags);
    const buildPreview = new BuildPreview(directory, blobs, builds, builder, clock);
    const previews = new VersionPreviews(directory, builds, builder, buildPreview);
    const audience = new PreviewAudience(directory, access, flags);
    const tickets = new GetPreviewTicket(directory, audience, signer, addresses, clock, flags);
    const resolve = new ResolvePreview(
      directory,
      audience,
      signer,
      addresses,
      hosts,
      publications,
      previews,
      clock,
      flags,
    );
    const app = express();
    app.use(new PreviewDoor(addresses, resolve, blobs).handle);
    app.use((_, response) => response.status(299).send('the application'));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    return new PreviewRig(
      library,
      hooks,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      signer,
      builds,
      publications,
      tickets,
      new GetPreviewPage(audience, tickets, { of: async () => null }, addresses),
      new PublishArtifact(
        directory,
        publications,
        previews,
        hooks,
        addresses,
        database,
        outbox,
        audit,
        live,
        clock,
        flags,
      ),
      new UnpublishArtifact(directory, publications, hooks, database, outbox, audit, live, flags),
      new SetPreviewHosts(access, hosts, database, audit, live),
      buildPreview,
      async () => {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
        await library.stop();
      },
    );
  }

  stop(): Promise<void> {
    return this.close();
  }

  /** Address that a person of the project gets for a frame. */
  async frame(artifactId: string, version?: number): Promise<string> {
    const { owner, projectId } = this.library;
    return (await this.tickets.execute(owner, { artifactId, projectId, version })).baseUrl;
  }

  /** Asks for an address of the instance, whatever its host, exactly as written. */
  async get(
    address: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const [, host, path] = /^https?:\/\/([^/]+)(.*)$/.exec(address)!;
    const { request } = await import('node:http');
    return new Promise((done, fail) => {
      const asked = request(
        this.url,
        { path: path || '/', method: init.method ?? 'GET', headers: { host: host!, ...init.headers } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () =>
            done({
              status: response.statusCode!,
              headers: response.headers as Record<string, string | undefined>,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      asked.on('error', fail);
      asked.end();
    });
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}
