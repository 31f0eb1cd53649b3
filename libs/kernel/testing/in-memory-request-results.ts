import { conflict } from '../errors.js';
import { type KeptResult, type RequestKey, RequestResults } from '../ports/request-results.js';

interface Entry {
  readonly operation: string;
  readonly argumentsHash: string;
  readonly running: Promise<string | undefined>;
}

/** Keeps results in memory, for as long as the test runs. */
export class InMemoryRequestResults extends RequestResults {
  private readonly entries = new Map<string, Entry>();

  override async once<T>(key: RequestKey, work: () => Promise<T>): Promise<KeptResult<T>> {
    const id = JSON.stringify([key.principal, key.projectId, key.requestId]);
    for (;;) {
      const entry = this.entries.get(id);
      if (!entry) return { result: await this.run(id, key, work), repeated: false };
      if (entry.operation !== key.operation || entry.argumentsHash !== key.argumentsHash) {
        throw conflict(
          'request_id_reused',
          'This Loupe-Request-Id was used for another request. Send a new id with a new request.',
        );
      }
      try {
        const kept = JSON.parse((await entry.running) ?? '{}') as { value: T };
        return { result: kept.value, repeated: true };
      } catch {
        // The first one failed and kept nothing, so this one runs.
      }
    }
  }

  private async run<T>(id: string, key: RequestKey, work: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    const running = (async () => {
      result = await work();
      return JSON.stringify({ value: result });
    })();
    this.entries.set(id, { operation: key.operation, argumentsHash: key.argumentsHash, running });
    try {
      await running;
      return result as T;
    } catch (error) {
      this.entries.delete(id);
      throw error;
    }
  }
}
