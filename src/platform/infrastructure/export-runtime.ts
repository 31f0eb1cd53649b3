import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { BuildExport } from '../application/commands/build-export.js';
import { ExpireExports } from '../application/commands/expire-exports.js';
import { BUILD_EXPORT, EXPORT_ATTEMPTS, EXPORTS_QUEUE, exportJobId } from '../application/export-job.js';
import { DataExports } from '../application/ports/data-exports.js';
import { ExportAddresses } from '../application/ports/export-addresses.js';
import { JobSources } from '../application/ports/job-sources.js';
import { WhenPersonDeleted } from '../application/reactions/when-person-deleted.js';

const EXPIRE = 'expire-exports';
const TIMEOUT_MS = 6 * 3_600_000;

/** Jobs, schedule and reactions of exports. */
@Injectable()
export class ExportRuntime implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly sources: JobSources,
    private readonly listeners: EventListeners,
    private readonly exports: DataExports,
    private readonly build: BuildExport,
    private readonly expire: ExpireExports,
    private readonly whenPersonDeleted: WhenPersonDeleted,
  ) {}

  onModuleInit(): void {
    this.jobs.process(
      EXPORTS_QUEUE,
      BUILD_EXPORT,
      ({ data, attempt, name }) =>
        this.build.execute({ kind: 'system', jobName: name }, { exportId: String(data.exportId), attempt }),
      { concurrency: 1, attempts: EXPORT_ATTEMPTS, timeoutMs: TIMEOUT_MS },
    );
    this.jobs.process(EXPORTS_QUEUE, EXPIRE, async ({ name }) => {
      await this.expire.execute({ kind: 'system', jobName: name });
      return undefined;
    });
    this.jobs.every(EXPORTS_QUEUE, EXPIRE, EXPIRE, { cron: '15 * * * *' });
    this.sources.register({ name: 'exports', pages: () => this.calls() });
    this.listeners.register(this.whenPersonDeleted);
  }

  private async *calls() {
    const ids = await this.exports.waiting();
    yield ids.map((exportId) => ({
      queue: EXPORTS_QUEUE,
      id: exportJobId(exportId),
      name: BUILD_EXPORT,
      data: { exportId },
    }));
  }
}

@Injectable()
export class ConfiguredExportAddresses extends ExportAddresses {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  override page(): string {
    return this.configuration.url('/account/data');
  }
}
