import { conflict } from '#libs/kernel/errors.js';
import { archived, staleVersion } from './refusals.js';

export const DOCUMENT_STATUSES = ['draft', 'in-review', 'approved', 'changes-requested'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
export type VerdictKind = 'approved' | 'changes-requested';
export type AuthorKind = 'agent' | 'person';
/** Who filed a document. */
export type DocumentOrigin = AuthorKind | 'readiness-report' | 'analysis-report';

/** The facts of a document without its texts. */
export interface DocumentState {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: DocumentStatus;
  /** Name of a PostgreSQL text-search configuration; never changes. */
  readonly language: string;
  readonly currentVersion: number;
  readonly seriesId: string | null;
  readonly seriesOrdinal: number | null;
  readonly archivedAt: Date | null;
  readonly archiveReason: string | null;
  readonly origin: DocumentOrigin;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  /** When the newest version was made. */
  readonly contentUpdatedAt: Date;
}

/** What a new document starts from. */
export interface NewDocument {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly draft: boolean;
  readonly language: string;
  readonly origin: DocumentOrigin;
  readonly createdByUserId: string | null;
  readonly at: Date;
}

/** A reviewed text: its status, its place and which version is the newest (`documents.md` 3.1). */
export class Document {
  private constructor(private facts: DocumentState) {}

  static create(input: NewDocument): Document {
    const { draft, at, ...given } = input;
    return new Document({
      ...given,
      status: draft ? 'draft' : 'in-review',
      currentVersion: 1,
      seriesId: null,
      seriesOrdinal: null,
      archivedAt: null,
      archiveReason: null,
      createdAt: at,
      contentUpdatedAt: at,
    });
  }

  static restore(state: DocumentState): Document {
    return new Document(state);
  }

  get state(): DocumentState {
    return this.facts;
  }

  get id(): string {
    return this.facts.id;
  }

  get projectId(): string {
    return this.facts.projectId;
  }

  get version(): number {
    return this.facts.currentVersion;
  }

  get status(): DocumentStatus {
    return this.facts.status;
  }

  get isArchived(): boolean {
    return this.facts.archivedAt !== null;
  }

  /** @throws DomainError `archived`. */
  requireActive(by: AuthorKind): void {
    if (this.isArchived) throw archived(by);
  }

  /** @throws DomainError `stale_version` when a page shows another version than the newest. */
  requireCurrent(shown: number): void {
    if (shown !== this.version) throw staleVersion(this.version);
  }

  /**
   * The next version; a draft stays out of review. Gives its number.
   * @throws DomainError `archived`, `stale` when `baseVersion` is named and is not the newest.
   */
  revise(by: AuthorKind, at: Date, title: string | null, baseVersion: number | null): number {
    this.requireActive(by);
    if (baseVersion !== null && baseVersion !== this.version)
      throw conflict(
        'stale',
        by === 'agent'
          ? `The document is at version ${this.version}. Read it again before you revise.`
          : `Version ${this.version} has arrived meanwhile. Your text was not saved: compare it with that version first.`,
        { argument: 'baseVersion', facts: { currentVersion: this.version } },
      );
    const number = this.version + 1;
    this.change({
      currentVersion: number,
      contentUpdatedAt: at,
      title: title ?? this.facts.title,
      status: this.status === 'draft' ? 'draft' : 'in-review',
    });
    return number;
  }

  /** From draft to review; false when it was there already. @throws DomainError `archived`. */
  publish(by: AuthorKind): boolean {
    this.requireActive(by);
    if (this.status !== 'draft') return false;
    this.change({ status: 'in-review' });
    return true;
  }

  /** @throws DomainError `archived`, `stale_version`. */
  judge(verdict: VerdictKind, shown: number): void {
    this.requireCurrent(shown);
    this.requireActive('person');
    this.change({ status: verdict });
  }

  /** The standing verdict of the newest version was taken back. */
  reopenReview(): void {
    this.requireActive('person');
    this.change({ status: 'in-review' });
  }

  /** False when the title is the same already. */
  rename(title: string): boolean {
    if (title === this.facts.title) return false;
    this.change({ title });
    return true;
  }

  /** False when it was archived already; the first reason stays. */
  archive(reason: string | null, at: Date): boolean {
    if (this.isArchived) return false;
    this.change({ archivedAt: at, archiveReason: reason });
    return true;
  }

  /** False when it was not archived. */
  unarchive(): boolean {
    if (!this.isArchived) return false;
    this.change({ archivedAt: null, archiveReason: null });
    return true;
  }

  private change(part: Partial<DocumentState>): void {
    this.facts = { ...this.facts, ...part };
  }
}
