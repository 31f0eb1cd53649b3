import { migrateQueueSchema } from '#libs/messaging/queue-connection.js';
import type { ForeignMigration } from '#libs/persistence/migrations.js';

/** Schemas that libraries bring: the queue library's own, in `bullmq`. */
export const foreignMigrations: readonly ForeignMigration[] = [migrateQueueSchema];
