import { type JobData, type JobHandler, Jobs } from '../ports/jobs.js';

/** Keeps what was added, once an id, and who works on what; nothing runs by itself. */
export class KeptJobs extends Jobs {
  readonly entries = new Map<string, JobData>();
  /** By `queue/name`. */
  readonly handlers = new Map<string, JobHandler>();

  override async add(_queue: string, id: string, _name: string, data: JobData): Promise<void> {
    if (!this.entries.has(id)) this.entries.set(id, data);
  }

  override async remove(_queue: string, id: string): Promise<void> {
    this.entries.delete(id);
  }

  override every(): void {}

  override process(queue: string, name: string, handler: JobHandler): void {
    this.handlers.set(`${queue}/${name}`, handler);
  }
}
