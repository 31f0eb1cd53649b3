import { failed } from '../core/failure.js';
import { PROJECT_FILE, readProjectFile, stampOf } from '../core/project-file.js';

/** The project that requests name: fixed by a flag, or that of `.loupe.yaml`, which is looked at before each request. */
export class ProjectWatch {
  private stamp: string;
  private said: string | null = null;
  private project: string | null;

  /** @throws Failure (1) when the file is broken at the start. */
  constructor(
    private readonly folder: string,
    private readonly fixed: string | null,
    private readonly note: (line: string) => void,
  ) {
    this.stamp = stampOf(folder);
    this.project = fixed ?? this.first();
  }

  get source(): string {
    return this.fixed === null ? PROJECT_FILE : '--project';
  }

  /** The project of the next request; null leaves the choice to the server. */
  current(): string | null {
    if (this.fixed !== null) return this.fixed;
    const stamp = stampOf(this.folder);
    if (stamp === this.stamp) return this.project;
    this.stamp = stamp;
    const file = readProjectFile(this.folder);
    if (file.kind === 'broken') {
      const kept = this.project ? `the project ${this.project} stays` : 'still no project';
      this.sayOnce(`loupe mcp: ${PROJECT_FILE} is broken (${file.why}); ${kept}`);
      return this.project;
    }
    const next = file.kind === 'good' ? file.project : null;
    if (next === this.project) {
      this.said = null;
      return next;
    }
    this.sayOnce(
      next === null
        ? `loupe mcp: ${PROJECT_FILE} is gone; requests name no project now`
        : `loupe mcp: ${PROJECT_FILE} now names project ${next} (was ${this.project ?? 'none'})`,
    );
    this.project = next;
    return next;
  }

  private first(): string | null {
    const file = readProjectFile(this.folder);
    if (file.kind === 'broken') {
      throw failed(`${PROJECT_FILE} is broken (${file.why})`, 'mend it, or run `loupe project link --force`');
    }
    return file.kind === 'good' ? file.project : null;
  }

  private sayOnce(line: string): void {
    if (line !== this.said) this.note(line);
    this.said = line;
  }
}
