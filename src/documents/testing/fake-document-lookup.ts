import { type DocumentFacts, DocumentLookup } from '../application/ports/document-lookup.js';

/** Documents that a test of another context puts in. */
export class FakeDocumentLookup extends DocumentLookup {
  private readonly known = new Map<string, DocumentFacts & { readonly projectId: string }>();

  put(projectId: string, facts: Pick<DocumentFacts, 'id' | 'title'> & Partial<DocumentFacts>): void {
    const status = facts.status ?? 'in-review';
    this.known.set(facts.id, {
      version: 1,
      archived: false,
      tags: [],
      pendingThreads: 0,
      standingVerdict: null,
      agentReview: null,
      failedReviewRounds: 0,
      submittedAt: new Date('2026-01-05T09:00:00.000Z'),
      ...facts,
      projectId,
      status,
      draft: status === 'draft',
    });
  }

  override async byIds(projectId: string, ids: readonly string[]): Promise<Map<string, DocumentFacts>> {
    const found = new Map<string, DocumentFacts>();
    for (const id of ids) {
      const entry = this.known.get(id);
      if (entry?.projectId !== projectId) continue;
      const { projectId: _, ...facts } = entry;
      found.set(id, facts);
    }
    return found;
  }
}
