/** What others need to know of a document. */
export interface DocumentFacts {
  readonly documentId: string;
  readonly title: string;
  readonly status: 'draft' | 'in-review' | 'approved' | 'changes-requested';
  readonly version: number;
  readonly tags: readonly string[];
  readonly archived: boolean;
  /** When its newest version was submitted. */
  readonly submittedAt: Date;
}

/** Facts of documents of one project, for other contexts; unknown and foreign ids are left out. */
export abstract class DocumentLookup {
  abstract byIds(projectId: string, documentIds: readonly string[]): Promise<Map<string, DocumentFacts>>;
}
