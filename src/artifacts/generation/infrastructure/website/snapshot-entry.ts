import { parentPort, workerData } from 'node:worker_threads';
import { GuardedPageFetcher } from '../guarded-page-fetcher.js';
import type { FromThread, ThreadStart } from './snapshot-threads.js';
import { makeSnapshot } from './snapshot-work.js';

/** Entry of the thread that copies one page, answers once, and ends. */
const { work, allow, proxy } = workerData as ThreadStart;

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

makeSnapshot(work, new GuardedPageFetcher({ allow, proxy }), (progress) => tell({ progress })).then(
  (set) => tell({ set }),
  (error: unknown) =>
    tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);
