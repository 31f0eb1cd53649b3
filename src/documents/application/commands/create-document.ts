import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Document, type DocumentOrigin, type DocumentStatus } from '../../domain/document.js';
import { readReferences, readSeriesPlace, readTags } from '../../domain/labels.js';
import { cleanMarkdown } from '../../domain/markdown-text.js';
import type { RenderWarning } from '../../domain/rendered-document.js';
import { type Given, readDescription, readTitle } from '../../domain/texts.js';
import { contentHashOf, signatureOf } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { Languages } from '../languages.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { LabelRepository } from '../ports/label-repository.js';
import { ReviewLinks } from '../ports/review-links.js';

export interface CreateDocumentInput {
  readonly projectId: string;
  readonly title?: Given<string>;
  readonly markdown?: Given<string>;
  readonly description?: Given<string>;
  /** Keeps it out of review; default false. */
  readonly draft?: Given<boolean>;
  readonly language?: Given<string>;
  readonly tags?: Given<readonly string[]>;
  readonly references?: Given<readonly string[]>;
  readonly series?: Given<string>;
  readonly seriesOrdinal?: Given<number>;
}

/** The answer of `document_create`. */
export interface CreatedDocument {
  readonly documentId: string;
  readonly reviewUrl: string;
  readonly version: number;
  readonly status: DocumentStatus;
  readonly language: string;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
  readonly warnings: readonly RenderWarning[];
}

/**
 * A new document with its first version.
 * @throws InvalidInput with everything that is wrong at once; DomainError `taken` for its place in the series.
 */
@Injectable()
export class CreateDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly languages: Languages,
    private readonly renderer: DocumentRenderer,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly labels: LabelRepository,
    private readonly news: DocumentNews,
    private readonly links: ReviewLinks,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: CreateDocumentInput,
    filedAs?: Extract<DocumentOrigin, 'readiness-report' | 'analysis-report'>,
  ): Promise<CreatedDocument> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const problems = new Problems();
    const title = readTitle(problems, 'title', input.title);
    const markdown = cleanMarkdown(input.markdown ?? '', problems);
    const description = readDescription(problems, 'description', input.description);
    const language = await this.languages.choose(problems, projectId, input.language);
    const tags = readTags(problems, 'tags', input.tags ?? []);
    const references = readReferences(problems, 'references', input.references ?? [], null);
    const place = readSeriesPlace(problems, input.series, input.seriesOrdinal);
    problems.throwIfAny();

    const rendered = await this.renderer.render(markdown);
    const by = signatureOf(actor);
    const at = this.clock.now();
    const document = Document.create({
      id: this.ids.next(),
      projectId,
      title,
      draft: input.draft ?? false,
      language,
      origin: filedAs ?? by.kind,
      createdByUserId: by.personId,
      at,
    });
    return this.unitOfWork.run(async () => {
      await this.documents.add(document, {
        id: this.ids.next(),
        documentId: document.id,
        number: 1,
        markdown,
        description,
        authorKind: by.kind,
        authorUserId: by.personId,
        contentHash: contentHashOf(markdown),
        rendered,
        warnings: rendered.warnings,
        summary: {
          carried: 0,
          orphaned: 0,
          sectionsCarried: 0,
          sectionsDropped: 0,
          threads: { stayed: 0, moved: 0, lost: 0 },
        },
        createdAt: at,
      });
      if (tags.length > 0) await this.labels.setTags(projectId, document.id, tags);
      if (references.length > 0) await this.labels.setReferences(projectId, document.id, references);
      const placed = place && (await this.labels.place(projectId, document.id, place));
      await this.news.tell(actor, document, {
        events: [
          { type: 'DocumentCreated', payload: { status: document.status, tags } },
          ...(document.status === 'draft' ? [] : [{ type: 'DocumentReviewRequested', payload: { tags } }]),
        ],
        audit: [{ operation: 'document.created', context: { draft: document.status === 'draft' } }],
        live: ['list'],
      });
      return {
        documentId: document.id,
        reviewUrl: this.links.review(projectId, document.id),
        version: 1,
        status: document.status,
        language,
        tags: [...tags].sort(),
        series: placed?.series.name ?? null,
        seriesOrdinal: placed?.ordinal ?? null,
        warnings: rendered.warnings,
      };
    });
  }
}
