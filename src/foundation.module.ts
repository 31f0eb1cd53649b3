import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { AdminGuard, SessionGuard } from '#libs/http/session.guard.js';
import { Clock, SystemClock } from '#libs/kernel/clock.js';
import { Ids, UuidV7Ids } from '#libs/kernel/ids.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Draining } from '#libs/observability/draining.js';
import { HealthController } from '#libs/observability/health.controller.js';
import { Metrics } from '#libs/observability/metrics.js';
import { ProbeListener } from '#libs/observability/probe-listener.js';
import { Probes } from '#libs/observability/probes.js';
import { Database } from '#libs/persistence/database.js';
import { BufferedRateLimiter } from '#libs/rate-limiting/buffered-rate-limiter.js';
import { PostgresRateLimiter } from '#libs/rate-limiting/postgres-rate-limiter.js';
import { RedisRateLimiter } from '#libs/rate-limiting/redis-rate-limiter.js';
import { LocalBlobStore } from '#libs/storage/local-blob-store.js';

/** Closes what the rate limiter holds open. */
class RateLimits implements OnApplicationShutdown {
  private readonly redis: RedisRateLimiter | null;
  readonly limiter: BufferedRateLimiter;

  constructor(configuration: Configuration, database: Database, metrics: Metrics) {
    const table = new PostgresRateLimiter(database);
    const { redisUrl } = configuration.values;
    this.redis = redisUrl ? new RedisRateLimiter(redisUrl, table) : null;
    this.limiter = new BufferedRateLimiter(this.redis ?? table, () => metrics.rateLimitStoreErrors.inc());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
    await this.redis?.close();
  }
}

/** The client of the bucket is loaded only where it is used. */
async function blobStore(configuration: Configuration): Promise<BlobStore> {
  const { blobBucket } = configuration.values;
  if (blobBucket === null) return new LocalBlobStore(configuration);
  const { S3BlobStore } = await import('#libs/storage/s3-blob-store.js');
  return new S3BlobStore(blobBucket);
}

/** What every context stands on: the environment, the database, and the ports that know no context. */
@Global()
@Module({})
export class FoundationModule {
  /** `database` is connected and migrated; whoever made it closes it. */
  static with(configuration: Configuration, database: Database): DynamicModule {
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: Database, useFactory: () => database },
      { provide: UnitOfWork, useExisting: Database },
      { provide: Clock, useClass: SystemClock },
      { provide: Ids, useClass: UuidV7Ids },
      { provide: SecretBox, useClass: DerivedSecretBox },
      { provide: BlobStore, useFactory: () => blobStore(configuration) },
      { provide: RateLimiter, inject: [RateLimits], useFactory: (limits: RateLimits) => limits.limiter },
      Metrics,
      Draining,
      SessionGuard,
      AdminGuard,
    ];
    return {
      module: FoundationModule,
      controllers: [HealthController],
      providers: [
        ...shared,
        Probes,
        ProbeListener,
        {
          provide: RateLimits,
          inject: [Configuration, Database, Metrics],
          useFactory: (...parts: [Configuration, Database, Metrics]) => new RateLimits(...parts),
        },
      ],
      exports: shared.map((part) => ('provide' in part ? part.provide : part)),
    };
  }
}
