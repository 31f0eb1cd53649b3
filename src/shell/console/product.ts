// What commands need of the product. Loaded when a command needs it, so that `--help` answers at once.

export { NestFactory } from '@nestjs/core';
export { Audit } from '#libs/kernel/ports/audit.js';
export { AppModule } from '../../app.module.js';
export { CheckStoredFiles } from '../../artifacts/library/application/queries/check-stored-files.js';
export { RerenderDocuments } from '../../documents/application/commands/rerender-documents.js';
export { CreateAdmin } from '../../identity/application/commands/create-admin.js';
export { ForceVerifyPerson } from '../../identity/application/commands/force-verify-person.js';
export { PromotePerson } from '../../identity/application/commands/promote-person.js';
export { PurgeArtefacts } from '../../identity/infrastructure/oauth/purge-artefacts.js';
export { DiscardEvents } from '../../platform/application/commands/discard-events.js';
export { EmptyQueue } from '../../platform/application/commands/empty-queue.js';
export { ExpireExports } from '../../platform/application/commands/expire-exports.js';
export { PurgeAudit } from '../../platform/application/commands/purge-audit.js';
export { RedispatchEvents } from '../../platform/application/commands/redispatch-events.js';
export { RetryDeadJob } from '../../platform/application/commands/retry-dead-job.js';
export { SetFlag } from '../../platform/application/commands/set-flag.js';
export { GetStatus } from '../../platform/application/queries/get-status.js';
export { GetWaitingWork } from '../../platform/application/queries/get-waiting-work.js';
export { ListFailedJobs } from '../../platform/application/queries/list-failed-jobs.js';
export { ListFlags } from '../../platform/application/queries/list-flags.js';
export { CreateSampleData } from './sample-data.js';
