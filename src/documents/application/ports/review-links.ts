/** Addresses of pages, for answers to agents. */
export abstract class ReviewLinks {
  /** Absolute address of the review page. */
  abstract review(projectId: string, documentId: string): string;
}
