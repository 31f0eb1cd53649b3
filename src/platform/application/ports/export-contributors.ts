import type { Readable } from 'node:stream';

/** Whose data is exported. */
export interface ExportSubject {
  readonly personId: string;
  /** Projects that the person owns. */
  readonly ownedProjectIds: readonly string[];
}

/** Rows of one kind, as a JSON list that is written row by row, or as the one object that there is. */
export interface ExportedRows {
  readonly name: string;
  readonly shape?: 'list' | 'one';
  /** Gives every row to `emit`, one after the other, on one state of the database. */
  write(emit: (row: unknown) => Promise<void>): Promise<void>;
}

/** A file as it is. */
export interface ExportedContent {
  readonly name: string;
  readonly content: Readable;
}

export type ExportedFile = ExportedRows | ExportedContent;

/** What a context puts into the export of a person. */
export interface ExportContributor {
  readonly name: string;
  /** In the order of the archive; a content is opened when its turn has come. Names are unique in the whole archive. */
  files(subject: ExportSubject): Iterable<ExportedFile> | AsyncIterable<ExportedFile>;
}

/** Contexts register at start what they add, and what the platform cannot know of a person. */
export class ExportContributors {
  private readonly registered: ExportContributor[] = [];
  private owned: (personId: string) => Promise<readonly string[]> = async () => [];
  private address: (personId: string) => Promise<string | null> = async () => null;

  register(contributor: ExportContributor): void {
    this.registered.push(contributor);
  }

  get all(): readonly ExportContributor[] {
    return this.registered;
  }

  /** Projects of a person, as the context of projects tells them. */
  tellOwnedProjects(owned: (personId: string) => Promise<readonly string[]>): void {
    this.owned = owned;
  }

  /** Mail address of a person, as identity tells it; null for who has left. */
  tellAddress(address: (personId: string) => Promise<string | null>): void {
    this.address = address;
  }

  async subjectOf(personId: string): Promise<ExportSubject> {
    return { personId, ownedProjectIds: await this.owned(personId) };
  }

  addressOf(personId: string): Promise<string | null> {
    return this.address(personId);
  }
}
