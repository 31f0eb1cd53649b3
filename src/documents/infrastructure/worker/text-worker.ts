import { parentPort } from 'node:worker_threads';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { doTextWork, type TextWork } from './text-work.js';
import type { WorkerAnswer } from './text-worker-thread.js';

/** Entry of the worker thread: one piece of work a message, one answer each. */
parentPort?.on('message', ({ id, work }: { id: number; work: TextWork }) => {
  parentPort?.postMessage(answer(id, work));
});

function answer(id: number, work: TextWork): WorkerAnswer {
  try {
    return { id, result: doTextWork(work) };
  } catch (error) {
    if (error instanceof InvalidInput) return { id, problems: error.problems };
    if (error instanceof DomainError)
      return { id, refusal: { kind: error.kind, code: error.code, message: error.message } };
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
