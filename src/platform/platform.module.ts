import { Global, Logger, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Configuration } from '#libs/configuration/configuration.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { QueuedMailer } from '#libs/mail/queued-mailer.js';
import { JobQueues } from '#libs/messaging/job-queues.js';
import { PostgresSignals } from '#libs/messaging/postgres-signals.js';
import { connectQueues } from '#libs/messaging/queue-connection.js';
import { Database } from '#libs/persistence/database.js';
import { BuildExport } from './application/commands/build-export.js';
import { DeleteExport } from './application/commands/delete-export.js';
import { DiscardDeadJob } from './application/commands/discard-dead-job.js';
import { DiscardEvents } from './application/commands/discard-events.js';
import { DownloadExport } from './application/commands/download-export.js';
import { EmptyQueue } from './application/commands/empty-queue.js';
import { ExpireExports } from './application/commands/expire-exports.js';
import { PurgeAudit } from './application/commands/purge-audit.js';
import { RedispatchEvents } from './application/commands/redispatch-events.js';
import { RequestExport } from './application/commands/request-export.js';
import { ResetFlag } from './application/commands/reset-flag.js';
import { RetryDeadJob } from './application/commands/retry-dead-job.js';
import { RetryDeadJobsOfQueue } from './application/commands/retry-dead-jobs-of-queue.js';
import { SetFlag } from './application/commands/set-flag.js';
import { LiveStreams } from './application/live-streams.js';
import { ActorNames } from './application/ports/actor-names.js';
import { AuditRecords } from './application/ports/audit-records.js';
import { DataExports } from './application/ports/data-exports.js';
import { DeadJobs } from './application/ports/dead-jobs.js';
import { EventUpkeep } from './application/ports/event-upkeep.js';
import { ExportAddresses } from './application/ports/export-addresses.js';
import { ExportArchive } from './application/ports/export-archive.js';
import { ExportContributors } from './application/ports/export-contributors.js';
import { FlagValues } from './application/ports/flag-values.js';
import { JobSources } from './application/ports/job-sources.js';
import { LiveFeed } from './application/ports/live-feed.js';
import { OverviewCounters } from './application/ports/overview-counters.js';
import { QueueView } from './application/ports/queue-view.js';
import { SearchProviders } from './application/ports/search-providers.js';
import { SessionCheck } from './application/ports/session-check.js';
import { StatusChecks } from './application/ports/status-checks.js';
import { GetOverview } from './application/queries/get-overview.js';
import { GetStatus } from './application/queries/get-status.js';
import { GetWaitingWork } from './application/queries/get-waiting-work.js';
import { ListAuditEvents } from './application/queries/list-audit-events.js';
import { ListExports } from './application/queries/list-exports.js';
import { ListFailedJobs } from './application/queries/list-failed-jobs.js';
import { ListFlags } from './application/queries/list-flags.js';
import { ListQueuedJobs } from './application/queries/list-queued-jobs.js';
import { OpenLiveStream } from './application/queries/open-live-stream.js';
import { SearchAll } from './application/queries/search-all.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { AuditExport } from './infrastructure/audit-export.js';
import { BackendQueueView } from './infrastructure/backend-queue-view.js';
import { CachedFlags } from './infrastructure/cached-flags.js';
import { directDatabaseUrl } from './infrastructure/direct-database-url.js';
import { EventDelivery } from './infrastructure/event-delivery.js';
import { ConfiguredExportAddresses, ExportRuntime } from './infrastructure/export-runtime.js';
import { LiveEventLog } from './infrastructure/live-event-log.js';
import { MailRegistrations } from './infrastructure/mail-registrations.js';
import { OutboxJobs } from './infrastructure/outbox-jobs.js';
import { OutboxRelay } from './infrastructure/outbox-relay.js';
import { PlatformChecks } from './infrastructure/platform-checks.js';
import { PlatformRuntime } from './infrastructure/platform-runtime.js';
import { ProcessHeartbeat } from './infrastructure/process-heartbeat.js';
import { QueueUpkeep } from './infrastructure/queue-upkeep.js';
import { RegisteredListeners } from './infrastructure/registered-listeners.js';
import { SqlAudit } from './infrastructure/sql-audit.js';
import { SqlAuditRecords } from './infrastructure/sql-audit-records.js';
import { SqlDataExports } from './infrastructure/sql-data-exports.js';
import { SqlDeadJobs } from './infrastructure/sql-dead-jobs.js';
import { SqlEventUpkeep } from './infrastructure/sql-event-upkeep.js';
import { SqlFlagValues } from './infrastructure/sql-flag-values.js';
import { SqlLiveFeed } from './infrastructure/sql-live-feed.js';
import { SqlLiveUpdates } from './infrastructure/sql-live-updates.js';
import { SqlOutbox } from './infrastructure/sql-outbox.js';
import { SqlRequestResults } from './infrastructure/sql-request-results.js';
import { ZipExportArchive } from './infrastructure/zip-export-archive.js';
import { AdminAuditController } from './interface/http/admin-audit.controller.js';
import { AdminFlagsController } from './interface/http/admin-flags.controller.js';
import { AdminJobsController } from './interface/http/admin-jobs.controller.js';
import { AdminStatusController } from './interface/http/admin-status.controller.js';
import { ExportDownloadController, ExportsController } from './interface/http/exports.controller.js';
import { LiveController } from './interface/http/live.controller.js';
import { RepeatInterceptor } from './interface/http/repeat.interceptor.js';
import { SearchController } from './interface/http/search.controller.js';

const useCases = [
  SetFlag,
  ResetFlag,
  RetryDeadJob,
  RetryDeadJobsOfQueue,
  DiscardDeadJob,
  PurgeAudit,
  RedispatchEvents,
  DiscardEvents,
  EmptyQueue,
  RequestExport,
  BuildExport,
  DeleteExport,
  DownloadExport,
  ExpireExports,
  ListExports,
  ListFlags,
  ListAuditEvents,
  ListFailedJobs,
  ListQueuedJobs,
  GetStatus,
  GetWaitingWork,
  GetOverview,
  OpenLiveStream,
  SearchAll,
];

/** Where contexts register what they tell the platform. */
const hooks = [
  ActorNames,
  SessionCheck,
  OverviewCounters,
  StatusChecks,
  JobSources,
  ExportContributors,
  SearchProviders,
];

const connections = [
  {
    provide: PostgresSignals,
    inject: [Configuration, Database],
    useFactory: (configuration: Configuration, database: Database): PostgresSignals => {
      const logger = new Logger('signals');
      return new PostgresSignals(database, {
        directUrl: directDatabaseUrl(configuration, database),
        log: (msg, error) => logger.warn({ msg, err: error }),
      });
    },
  },
  {
    provide: JobQueues,
    inject: [Configuration, Database],
    useFactory: (configuration: Configuration, database: Database): JobQueues => {
      const logger = new Logger('queue');
      const onError = (error: unknown): void => logger.warn({ msg: 'The queue backend fails', err: error });
      const connection = connectQueues({
        directDatabaseUrl: directDatabaseUrl(configuration, database),
        redisUrl: configuration.values.redisUrl,
        onError,
      });
      return new JobQueues(connection, onError);
    },
  },
];

const adapters = [
  CachedFlags,
  OutboxJobs,
  RegisteredListeners,
  SqlLiveFeed,
  SqlRequestResults,
  BackendQueueView,
  OutboxRelay,
  EventDelivery,
  QueueUpkeep,
  LiveEventLog,
  LiveStreams,
  ProcessHeartbeat,
  PlatformChecks,
  QueuedMailer,
  MailRegistrations,
  WhenPersonDeleted,
  AuditExport,
  ExportRuntime,
  { provide: DataExports, useClass: SqlDataExports },
  { provide: ExportArchive, useClass: ZipExportArchive },
  { provide: ExportAddresses, useClass: ConfiguredExportAddresses },
  { provide: FlagValues, useClass: SqlFlagValues },
  { provide: DeadJobs, useClass: SqlDeadJobs },
  { provide: EventUpkeep, useClass: SqlEventUpkeep },
  { provide: AuditRecords, useClass: SqlAuditRecords },
  { provide: LiveFeed, useExisting: SqlLiveFeed },
  { provide: QueueView, useExisting: BackendQueueView },
];

const ports = [
  { provide: Signals, useExisting: PostgresSignals },
  { provide: Flags, useExisting: CachedFlags },
  { provide: Audit, useClass: SqlAudit },
  { provide: Outbox, useClass: SqlOutbox },
  { provide: Jobs, useExisting: OutboxJobs },
  { provide: Mailer, useExisting: QueuedMailer },
  { provide: EventListeners, useExisting: RegisteredListeners },
  { provide: LiveUpdates, useClass: SqlLiveUpdates },
  { provide: RequestResults, useExisting: SqlRequestResults },
];

/**
 * Binds the ports of the kernel that need tables, queues or signals. It needs the providers of the foundation, and
 * `ProjectAccess` of projects, from global modules.
 */
@Global()
@Module({
  controllers: [
    AdminFlagsController,
    AdminAuditController,
    AdminJobsController,
    AdminStatusController,
    LiveController,
    ExportsController,
    ExportDownloadController,
    SearchController,
  ],
  providers: [
    ...connections,
    ...hooks,
    ...adapters,
    ...ports,
    ...useCases,
    PlatformRuntime,
    { provide: APP_INTERCEPTOR, useClass: RepeatInterceptor },
  ],
  exports: [...ports.map(({ provide }) => provide), ...hooks, ...useCases, AuditRecords, OutboxRelay],
})
export class PlatformModule {}
