import type { SealedColumn } from '#libs/persistence/sealed-columns.js';

export const sealedColumns: readonly SealedColumn[] = [
  // The job that needs it ends and says that its token is gone.
  { table: 'artifacts.generation_secret', key: 'job_id', column: 'sealed', whenLost: 'row' },
];
