import { notFound } from '#libs/kernel/errors.js';
import type { AuthorKind, Document } from '../../domain/document.js';
import type {
  DecisionBlock,
  RenderedDocument,
  RenderedSection,
  RenderWarning,
} from '../../domain/rendered-document.js';

/** Threads of the version before, resolved ones included. */
export interface ThreadCounts {
  /** On the same words in the same surroundings, or about the whole document. */
  readonly stayed: number;
  /** Found elsewhere, or reworded. */
  readonly moved: number;
  /** Their words are gone. */
  readonly lost: number;
}

/** What a revision did to the talk about its document; `carried` and `orphaned` count the threads that are still open. */
export interface RevisionSummary {
  readonly carried: number;
  readonly orphaned: number;
  readonly sectionsCarried: number;
  readonly sectionsDropped: number;
  readonly threads: ThreadCounts;
}

/** A version as it is written, once. */
export interface NewVersion {
  readonly id: string;
  readonly documentId: string;
  readonly number: number;
  readonly markdown: string;
  readonly description: string | null;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  /** SHA-256 of the Markdown in hex. */
  readonly contentHash: string;
  readonly rendered: RenderedDocument;
  readonly warnings: readonly RenderWarning[];
  readonly summary: RevisionSummary;
  readonly createdAt: Date;
}

/** A version without its long texts. */
export interface VersionFacts {
  readonly id: string;
  readonly number: number;
  readonly description: string | null;
  readonly contentHash: string;
  readonly summary: RevisionSummary;
  readonly decisions: readonly DecisionBlock[];
  readonly sections: readonly RenderedSection[];
  readonly warnings: readonly RenderWarning[];
}

/** Documents and their versions. */
export abstract class DocumentRepository {
  /** Writes a new document with its first version. */
  abstract add(document: Document, version: NewVersion): Promise<void>;
  /** The document, held against every other writer until the transaction ends. Null when the project has none of that id. */
  abstract lock(projectId: string, documentId: string): Promise<Document | null>;
  /** Like `lock`. @throws DomainError `not-found`, the same for unknown ids and ids of other projects. */
  async hold(projectId: string, documentId: string): Promise<Document> {
    const document = await this.lock(projectId, documentId);
    if (!document) throw notFound('Document', 'documentId');
    return document;
  }
  /** The newest version as it is now, without a lock; null when the project has no such document. */
  abstract currentVersionId(projectId: string, documentId: string): Promise<string | null>;
  /** Writes what the aggregate changed; the place in a series goes through `LabelRepository`. */
  abstract save(document: Document): Promise<void>;
  abstract addVersion(version: NewVersion): Promise<void>;
  abstract version(documentId: string, number: number): Promise<VersionFacts | null>;
  abstract plainText(versionId: string): Promise<string>;
  /** Makes title and current text findable. Never fails for the size of the text: what does not fit is left out and logged. */
  abstract index(document: Document, plainText: string): Promise<void>;
}
