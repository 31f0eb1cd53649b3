import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Document, DocumentStatus } from '../../domain/document.js';
import { readReferences, readSeriesChange } from '../../domain/labels.js';
import { cleanMarkdown } from '../../domain/markdown-text.js';
import type { RenderWarning } from '../../domain/rendered-document.js';
import { type Given, readId, readRevisionDescription, readTitle, readVersion } from '../../domain/texts.js';
import { contentHashOf, signatureOf } from '../authorship.js';
import { Carrying } from '../carrying.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository, type RevisionSummary } from '../ports/document-repository.js';
import { LabelRepository } from '../ports/label-repository.js';
import { ReviewLinks } from '../ports/review-links.js';
import { ChangeDocument } from './change-document.js';

export interface ReviseDocumentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly markdown?: Given<string>;
  /** What changed and why. */
  readonly description?: Given<string>;
  readonly title?: Given<string>;
  /** The whole new set; absent keeps it. */
  readonly references?: Given<readonly string[]>;
  /** Absent keeps the place, the empty text takes the document out. */
  readonly series?: Given<string>;
  readonly seriesOrdinal?: Given<number>;
  /** Refuse when the document moved on from this version. */
  readonly baseVersion?: Given<number>;
}

/** The answer of `document_revise`. */
export interface RevisedDocument extends RevisionSummary {
  readonly documentId: string;
  readonly reviewUrl: string;
  readonly version: number;
  readonly status: DocumentStatus;
  readonly warnings: readonly RenderWarning[];
}

/**
 * The next version of a document, which takes the open threads along. The same text, description and title again are a
 * retry and make none.
 * @throws InvalidInput; DomainError `not-found`, `archived`, `stale`, `taken`.
 */
@Injectable()
export class ReviseDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly renderer: DocumentRenderer,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly labels: LabelRepository,
    private readonly change: ChangeDocument,
    private readonly carrying: Carrying,
    private readonly news: DocumentNews,
    private readonly links: ReviewLinks,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ReviseDocumentInput): Promise<RevisedDocument> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const markdown = cleanMarkdown(input.markdown ?? '', problems);
    const description = readRevisionDescription(problems, 'description', input.description);
    const title = input.title == null ? null : readTitle(problems, 'title', input.title);
    if (input.references != null) readReferences(problems, 'references', input.references, documentId);
    readSeriesChange(problems, input.series, input.seriesOrdinal);
    const baseVersion =
      input.baseVersion == null ? null : readVersion(problems, 'baseVersion', input.baseVersion);
    problems.throwIfAny();

    // Before the lock, so that a slow text holds up nobody.
    const rendered = await this.renderer.render(markdown);
    const foreseen = await this.carrying.foresee(projectId, documentId, rendered.plainText);
    const contentHash = contentHashOf(markdown);
    const by = signatureOf(actor);
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(projectId, documentId);
      document.requireActive(by.kind);
      const before = (await this.documents.version(documentId, document.version))!;
      const retitled = title !== null && title !== document.state.title;
      if (!retitled && before.contentHash === contentHash && before.description === description) {
        await this.changeLabels(actor, documentId, input);
        return this.answer(document, before.summary, before.warnings);
      }

      const at = this.clock.now();
      const number = document.revise(by.kind, at, title, baseVersion);
      const versionId = this.ids.next();
      const plan = await this.carrying.plan(documentId, before, rendered, foreseen);
      await this.documents.addVersion({
        id: versionId,
        documentId,
        number,
        markdown,
        description,
        authorKind: by.kind,
        authorUserId: by.personId,
        contentHash,
        rendered,
        warnings: plan.warnings,
        summary: plan.summary,
        createdAt: at,
      });
      await this.carrying.carry(documentId, versionId, plan);
      await this.documents.save(document);
      await this.documents.index(document, rendered.plainText);
      await this.changeLabels(actor, documentId, input);
      await this.tell(actor, document, retitled, plan.summary);
      return this.answer(document, plan.summary, plan.warnings);
    });
  }

  /** Also on a retry: what it says about references and series must not be lost. */
  private async changeLabels(actor: Actor, documentId: string, input: ReviseDocumentInput): Promise<void> {
    const { projectId, references, series, seriesOrdinal } = input;
    if (references == null && series == null && seriesOrdinal == null) return;
    await this.change.execute(actor, { projectId, documentId, references, series, seriesOrdinal });
  }

  private async tell(actor: Actor, document: Document, retitled: boolean, summary: RevisionSummary) {
    const inReview = document.status !== 'draft';
    const tags = inReview ? await this.labels.tagsOf(document.id) : [];
    await this.news.tell(actor, document, {
      events: [
        { type: 'DocumentRevised', payload: { status: document.status } },
        ...(retitled ? [{ type: 'DocumentRenamed' }] : []),
        ...(inReview ? [{ type: 'DocumentReviewRequested', payload: { tags } }] : []),
      ],
      audit: [
        {
          operation: 'document.revised',
          context: { version: document.version, carried: summary.carried, orphaned: summary.orphaned },
        },
      ],
      live: ['version', 'list'],
    });
  }

  private answer(
    document: Document,
    summary: RevisionSummary,
    warnings: readonly RenderWarning[],
  ): RevisedDocument {
    return {
      documentId: document.id,
      reviewUrl: this.links.review(document.projectId, document.id),
      version: document.version,
      status: document.status,
      ...summary,
      warnings,
    };
  }
}
