import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Ids } from '#libs/kernel/ids.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { JobQueues } from '#libs/messaging/job-queues.js';
import { Database } from '#libs/persistence/database.js';
import { pendingMigrations } from '#libs/persistence/migrations.js';
import { BlobStorageUnavailable } from '#libs/storage/blob-refusals.js';
import type { StatusCheck, StatusFinding, StatusRequest } from '../application/ports/status-checks.js';
import { BackendQueueView } from './backend-queue-view.js';
import { directDatabaseUrl } from './direct-database-url.js';
import { settleKey } from './key-sentinel.js';
import { OutboxRelay } from './outbox-relay.js';
import { QueueUpkeep } from './queue-upkeep.js';

const LATE_SECONDS = 60;
const CLOCK_SECONDS = 5;
const CONNECTIONS_SHARE = 0.8;
const SENTINEL = 'loupe';

const ok = (sentence: string): StatusFinding => ({ state: 'ok', sentence });
const warning = (sentence: string): StatusFinding => ({ state: 'warning', sentence });
const failed = (sentence: string): StatusFinding => ({ state: 'failed', sentence });

/** The rows of the status page that the platform itself stands for (`platform.md` 11.1). */
@Injectable()
export class PlatformChecks {
  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
    private readonly signals: Signals,
    private readonly queues: JobQueues,
    private readonly queueView: BackendQueueView,
    private readonly upkeep: QueueUpkeep,
    private readonly relay: OutboxRelay,
    private readonly blobs: BlobStore,
    private readonly secrets: SecretBox,
    private readonly ids: Ids,
  ) {}

  get all(): StatusCheck[] {
    return [
      { name: 'Database', run: () => this.databaseAnswers() },
      { name: 'Migrations', run: () => this.migrations() },
      { name: 'Queue backend', run: () => this.queueBackend() },
      { name: 'Signal connection', run: () => this.signalConnection() },
      { name: 'Worker', run: () => this.worker() },
      { name: 'Oldest waiting job', run: () => this.oldestJob() },
      { name: 'Failed jobs', run: () => this.failedJobs() },
      { name: 'Event delivery', run: () => this.outbox() },
      { name: 'Public address', run: async (request) => this.publicAddress(request) },
      { name: 'MCP hosts', run: async (request) => this.mcpHosts(request) },
      { name: 'Trusted proxies', run: async (request) => trustedProxies(request) },
      { name: 'Blob storage', run: () => this.blobStorage() },
      { name: 'Blob storage sharing', run: () => this.blobSharing() },
      { name: 'Encryption key', run: () => this.encryptionKey() },
      { name: 'Clock', run: () => this.clock() },
    ];
  }

  private async databaseAnswers(): Promise<StatusFinding> {
    const row = await this.database.one<{ version: string; most: number; used: number }>(
      `SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS most,
              (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
    );
    const { version, most, used } = row!;
    return used <= most * CONNECTIONS_SHARE
      ? ok(`PostgreSQL ${version} answers, with ${used} of ${most} connections in use.`)
      : warning(
          `${used} of ${most} database connections are in use. Raise max_connections or lower DATABASE_POOL.`,
        );
  }

  private async migrations(): Promise<StatusFinding> {
    const pending = await pendingMigrations(directDatabaseUrl(this.configuration, this.database));
    return pending.length === 0
      ? ok('The schema is up to date.')
      : failed(`${pending.length} migrations are pending. Run "loupe-server migrate".`);
  }

  private async queueBackend(): Promise<StatusFinding> {
    const name = this.queues.kind === 'redis' ? 'Redis' : 'PostgreSQL';
    const described = await this.queues.describe().catch((error: Error) => error);
    if (described instanceof Error) {
      const [reason] = described.message.split('\n');
      return failed(
        this.queues.kind === 'redis'
          ? `Redis does not answer (${reason}). Check REDIS_URL; queued work waits until it is back.`
          : `The queue schema does not answer (${reason}). Run "loupe-server migrate".`,
      );
    }
    if (described.warning) return warning(described.warning);
    return (await this.upkeep.epochIsRight())
      ? ok(`Jobs are kept in ${name} ${described.version}.`)
      : warning(
          `The queue in ${name} is being filled from the database. Without a worker this does not end.`,
        );
  }

  private async signalConnection(): Promise<StatusFinding> {
    return this.signals.connected
      ? ok('Signals between processes arrive.')
      : warning(
          'The signal connection is cut, so changes show up to 5 s late. Behind a pooler, set DATABASE_DIRECT_URL.',
        );
  }

  private async worker(): Promise<StatusFinding> {
    const row = await this.database.one<{ age: number | null }>(
      `SELECT extract(epoch FROM now() - max(seen_at))::float8 AS age
       FROM platform.process_heartbeats WHERE role IN ('worker', 'all')`,
    );
    const age = row?.age ?? null;
    if (age === null) return failed('No worker runs. Start one with LOUPE_ROLE=worker or LOUPE_ROLE=all.');
    return age <= LATE_SECONDS
      ? ok('A worker runs.')
      : failed(`The last worker was seen ${Math.round(age)} s ago. Start one with LOUPE_ROLE=worker.`);
  }

  private async oldestJob(): Promise<StatusFinding> {
    const seconds = await this.queueView.oldestWaitingSeconds();
    return seconds <= LATE_SECONDS
      ? ok('No job waits longer than a minute.')
      : warning(`A job has waited ${Math.round(seconds)} s. Start more workers.`);
  }

  private async failedJobs(): Promise<StatusFinding> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*) AS count FROM platform.dead_jobs WHERE resolved_at IS NULL',
    );
    return row!.count === 0
      ? ok('No failed jobs.')
      : warning(`${row!.count} failed jobs wait for a decision under Jobs.`);
  }

  private async outbox(): Promise<StatusFinding> {
    const seconds = await this.relay.lagSeconds();
    return seconds <= LATE_SECONDS
      ? ok('Events are delivered.')
      : failed(`An event has waited ${Math.round(seconds)} s. Check that a worker runs.`);
  }

  private publicAddress(request: StatusRequest | null): StatusFinding | null {
    const uri = new URL(this.configuration.values.defaultUri);
    if (request && request.host !== uri.host) {
      return warning(
        `DEFAULT_URI names ${uri.host} and this page came by ${request.host}. Links and sign-ins use DEFAULT_URI.`,
      );
    }
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(uri.hostname);
    return uri.protocol === 'https:' || isLoopback
      ? ok(`DEFAULT_URI is ${uri.origin}.`)
      : warning('DEFAULT_URI is not https. Put a proxy with TLS in front and change it.');
  }

  private mcpHosts(request: StatusRequest | null): StatusFinding | null {
    if (!request) return null;
    const host = request.host.replace(/:\d+$/, '').toLowerCase();
    return this.configuration.values.mcpAllowedHosts.includes(host)
      ? ok(`${host} may reach /mcp.`)
      : warning(`MCP_ALLOWED_HOSTS lacks ${host}, so agents that use this address get 403.`);
  }

  private async blobStorage(): Promise<StatusFinding> {
    const key = `exports/status-${this.ids.next()}`;
    try {
      await this.blobs.put(key, Readable.from([Buffer.from(SENTINEL)]), {
        maxBytes: 100,
        contentType: 'text/plain',
      });
      const chunks: Buffer[] = [];
      for await (const chunk of await this.blobs.open(key)) chunks.push(Buffer.from(chunk as Uint8Array));
      if (Buffer.concat(chunks).toString() !== SENTINEL) return failed('Blob storage gave back other bytes.');
      const { keys } = await this.blobs.list(key);
      if (keys.length !== 1) return failed('Blob storage does not list what it was given.');
      await this.blobs.delete(key);
      if (await this.blobs.exists(key)) return failed('Blob storage keeps what was deleted.');
    } catch (error) {
      const cause = error instanceof BlobStorageUnavailable ? error.advice : (error as Error).message;
      return failed(`Blob storage cannot be used: ${cause}`);
    } finally {
      await this.blobs.delete(key).catch(() => undefined);
    }
    return ok('Blobs can be written, read, listed and deleted.');
  }

  private async blobSharing(): Promise<StatusFinding | null> {
    if (this.configuration.values.blobStorage !== 'local') return null;
    const row = await this.database.one<{ hosts: number }>(
      `SELECT count(DISTINCT host) AS hosts FROM platform.process_heartbeats
       WHERE seen_at > now() - make_interval(secs => ${LATE_SECONDS})`,
    );
    return row!.hosts > 1
      ? warning(`${row!.hosts} machines run with BLOB_STORAGE=local. They need a shared BLOB_STORAGE_DIR.`)
      : null;
  }

  private async encryptionKey(): Promise<StatusFinding> {
    if ((await settleKey(this.database, this.secrets)) === 'right') {
      return ok('The encryption key opens what is stored.');
    }
    return failed(
      'APP_ENCRYPTION_KEY is not the key of this database. Set the old one, or add it to APP_ENCRYPTION_KEYS_OLD.',
    );
  }

  private async clock(): Promise<StatusFinding> {
    const before = Date.now();
    const row = await this.database.one<{ now: Date }>('SELECT clock_timestamp() AS now');
    const apart = Math.abs(row!.now.getTime() - (before + Date.now()) / 2) / 1000;
    return apart <= CLOCK_SECONDS
      ? ok('The clocks of server and database agree.')
      : warning(`Server and database are ${Math.round(apart)} s apart. Set the clocks with NTP.`);
  }
}

function trustedProxies(request: StatusRequest | null): StatusFinding | null {
  if (!request) return null;
  const { clientAddress, forwardedFor } = request;
  if (!forwardedFor) return ok('This request came without a proxy.');
  const named = forwardedFor.split(',').map((entry) => entry.trim());
  return named.includes(clientAddress.replace(/^::ffff:/, ''))
    ? ok('The address of the client is taken from the proxy.')
    : warning(
        `The proxy at ${clientAddress} is not in TRUSTED_PROXIES, so all its clients share one rate limit.`,
      );
}
