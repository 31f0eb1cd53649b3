import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type HighlightRefusal, placeHighlights } from '../../domain/highlights.js';
import { HIGHLIGHTS_PER_VERSION } from '../../domain/limits.js';
import { type Given, readId } from '../../domain/texts.js';
import { signatureOf } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { HighlightRepository } from '../ports/highlight-repository.js';

export interface SetDocumentHighlightsInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly quotes?: Given<readonly string[]>;
}

export interface SetDocumentHighlightsResult extends Record<string, unknown> {
  readonly highlighted: readonly string[];
  readonly skipped: readonly { readonly quote: string; readonly reason: HighlightRefusal }[];
}

/**
 * Replaces the tinted passages of the current version; none clears them. The same set again changes nothing.
 * @throws InvalidInput; DomainError `not-found`, `archived`.
 */
@Injectable()
export class SetDocumentHighlights {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly highlights: HighlightRepository,
    private readonly news: DocumentNews,
  ) {}

  async execute(actor: Actor, input: SetDocumentHighlightsInput): Promise<SetDocumentHighlightsResult> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const quotes = input.quotes ?? [];
    if (quotes.length > HIGHLIGHTS_PER_VERSION) {
      problems.add('quotes', `A version takes at most ${HIGHLIGHTS_PER_VERSION} highlights.`);
    }
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireActive(signatureOf(actor).kind);
      const version = (await this.documents.version(documentId, document.version))!;
      const placed = placeHighlights(await this.documents.plainText(version.id), quotes);
      const before = await this.highlights.ofVersion(version.id);
      if (JSON.stringify(before) !== JSON.stringify(placed.highlights)) {
        await this.highlights.replace(version.id, placed.highlights);
        const count = placed.highlights.length;
        await this.news.tell(actor, document, {
          events: [{ type: 'HighlightsChanged', payload: { count } }],
          audit: [{ operation: 'document.highlights_set', context: { count } }],
          live: ['highlights'],
        });
      }
      return { highlighted: placed.highlights.map(({ quote }) => quote), skipped: placed.skipped };
    });
  }
}
