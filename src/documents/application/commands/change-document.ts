import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Document } from '../../domain/document.js';
import {
  normalisedName,
  readReferences,
  readSeriesChange,
  readTags,
  type SeriesPlace,
} from '../../domain/labels.js';
import { type Given, readId, readTitle } from '../../domain/texts.js';
import { type DocumentChange, DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { LabelRepository } from '../ports/label-repository.js';

export interface ChangeDocumentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly title?: Given<string>;
  /** Whole new sets; absent keeps them. */
  readonly tags?: Given<readonly string[]>;
  readonly references?: Given<readonly string[]>;
  /** Absent keeps the place, the empty text takes the document out. */
  readonly series?: Given<string>;
  readonly seriesOrdinal?: Given<number>;
}

/** What stands around the text, after the change. */
export interface ChangedDocument {
  readonly documentId: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly references: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
}

/**
 * Changes what stands around the text, in one go and without a new version; allowed on archived documents too. The last
 * write wins. @throws InvalidInput; DomainError `not-found`, `taken`.
 */
@Injectable()
export class ChangeDocument {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly labels: LabelRepository,
    private readonly news: DocumentNews,
  ) {}

  async execute(actor: Actor, input: ChangeDocumentInput): Promise<ChangedDocument> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const title = input.title == null ? null : readTitle(problems, 'title', input.title);
    const tags = input.tags == null ? null : readTags(problems, 'tags', input.tags);
    const references =
      input.references == null ? null : readReferences(problems, 'references', input.references, documentId);
    const place = readSeriesChange(problems, input.series, input.seriesOrdinal);
    problems.throwIfAny();

    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      const changes: DocumentChange[] = [];
      if (title !== null) changes.push(...(await this.rename(document, title)));
      if (tags !== null) changes.push(...(await this.setTags(document, tags)));
      if (references !== null) changes.push(...(await this.setReferences(document, references)));
      if (place !== undefined) changes.push(...(await this.place(document, place)));
      if (changes.length > 0) {
        await this.news.tell(actor, document, {
          events: changes.flatMap((change) => change.events ?? []),
          audit: changes.flatMap((change) => change.audit ?? []),
          live: ['status', 'list'],
        });
      }
      const after = await this.documents.hold(input.projectId, documentId);
      const { seriesId, seriesOrdinal } = after.state;
      const series = seriesId && (await this.labels.seriesById(input.projectId, seriesId));
      return {
        documentId,
        title: after.state.title,
        tags: await this.labels.tagsOf(documentId),
        references: await this.labels.referencesOf(documentId),
        series: series ? series.name : null,
        seriesOrdinal,
      };
    });
  }

  private async rename(document: Document, title: string): Promise<DocumentChange[]> {
    if (!document.rename(title)) return [];
    await this.documents.save(document);
    const current = (await this.documents.version(document.id, document.version))!;
    await this.documents.index(document, await this.documents.plainText(current.id));
    return [{ events: [{ type: 'DocumentRenamed' }], audit: [{ operation: 'document.renamed' }] }];
  }

  private async setTags(document: Document, tags: readonly string[]): Promise<DocumentChange[]> {
    const sorted = [...tags].sort();
    if (same([...(await this.labels.tagsOf(document.id))].sort(), sorted)) return [];
    await this.labels.setTags(document.projectId, document.id, sorted);
    return [
      {
        events: [{ type: 'DocumentTagsChanged', payload: { tags: sorted } }],
        audit: [{ operation: 'document.tags_set', context: { count: sorted.length } }],
      },
    ];
  }

  private async setReferences(document: Document, references: readonly string[]): Promise<DocumentChange[]> {
    if (same(await this.labels.referencesOf(document.id), references)) return [];
    await this.labels.setReferences(document.projectId, document.id, references);
    return [{ audit: [{ operation: 'document.references_set', context: { count: references.length } }] }];
  }

  private async place(document: Document, place: SeriesPlace | null): Promise<DocumentChange[]> {
    const { seriesId, seriesOrdinal } = document.state;
    const now = seriesId && (await this.labels.seriesById(document.projectId, seriesId));
    const unchanged = place
      ? now && normalisedName(now.name) === normalisedName(place.name) && seriesOrdinal === place.ordinal
      : seriesId === null;
    if (unchanged) return [];
    await this.labels.place(document.projectId, document.id, place);
    return [{ audit: [{ operation: 'document.series_set' }] }];
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
