import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { DOCUMENT_STATUSES } from '../../domain/document.js';
import { normalisedName } from '../../domain/labels.js';
import type { Given } from '../../domain/texts.js';
import { DocumentListing } from './document-listing.js';
import { LabelCounts } from './label-counts.js';
import { given, noteOf, readSearch } from './list-documents.js';

const PER_PAGE = 25;

export interface ListDocumentsPageInput {
  readonly projectId: string;
  readonly q?: Given<string>;
  readonly status?: Given<string>;
  readonly tag?: Given<string>;
  readonly series?: Given<string>;
  /** Archived documents too. */
  readonly archived?: Given<boolean>;
  /** Only documents with a thread that waits for its reader. */
  readonly waiting?: Given<boolean>;
  readonly page?: Given<number>;
}

/** The list page, with what its filters offer. Filter values that do not exist are ignored. @throws InvalidInput on `q`. */
@Injectable()
export class ListDocumentsPage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly listing: DocumentListing,
    private readonly labels: LabelCounts,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: ListDocumentsPageInput) {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const problems = new Problems();
    const search = readSearch(problems, 'q', input.q);
    problems.throwIfAny();
    const tags = await this.labels.tags(projectId);
    const series = await this.labels.series(projectId);
    const paging = clampPage(input.page ?? undefined, PER_PAGE);
    const filter = {
      search,
      status: DOCUMENT_STATUSES.find((name) => name === given(input.status)) ?? null,
      tag: known(
        input.tag,
        tags.map((tag) => tag.name),
      ),
      series: known(
        input.series,
        series.map((one) => one.name),
      ),
      archived: input.archived ?? false,
      waiting: input.waiting ?? false,
    };
    const { documents, total, unchecked } = await this.listing.page(projectId, filter, paging);
    const { threads, waitingDocuments } = await this.threads(
      projectId,
      documents.map(({ id }) => id),
    );
    return {
      documents: documents.map((document) => ({
        id: document.id,
        title: document.title,
        status: document.status,
        version: document.version,
        archived: document.archived,
        archiveReason: document.archiveReason,
        updatedAt: document.contentUpdatedAt.toISOString(),
        tags: document.tags,
        series: document.series,
        seriesOrdinal: document.seriesOrdinal,
        versionDescription: document.versionDescription,
        author: document.author,
        waitingThreads: threads.get(document.id)?.waiting ?? 0,
        openThreads: threads.get(document.id)?.open ?? 0,
      })),
      ...paging,
      total,
      hasMore: paging.page * paging.perPage < total,
      ...noteOf(unchecked),
      waitingDocuments,
      tags,
      series,
    };
  }

  /**
   * A thread waits for its reader when the agent acted on it, or when it lost its passage. The documents that have one
   * are counted over the whole project, archived ones left out.
   */
  private async threads(projectId: string, documentIds: readonly string[]) {
    interface Row {
      readonly waitingDocuments: number;
      readonly id: string | null;
      readonly waiting: number;
      readonly open: number;
    }
    const rows = await this.database.query<Row>(
      `SELECT whole.documents AS "waitingDocuments", page.*
       FROM (
         SELECT count(DISTINCT d.id)::int AS documents
         FROM documents.waiting_thread w
         JOIN documents.document d ON d.id = w.document_id AND d.current_version = w.version_number
         WHERE w.project_id = $1 AND d.archived_at IS NULL
       ) AS whole
       LEFT JOIN (
         SELECT v.document_id AS id, count(*)::int AS open,
                count(*) FILTER (WHERE c.status = 'addressed' OR c.orphaned)::int AS waiting
         FROM documents.document d
         JOIN documents.document_version v ON v.document_id = d.id AND v.number = d.current_version
         JOIN documents.comment c ON c.document_version_id = v.id
          AND c.parent_id IS NULL AND c.status <> 'resolved' AND c.deleted_at IS NULL
         WHERE d.id = ANY($2::uuid[]) GROUP BY v.document_id
       ) AS page ON true`,
      [projectId, documentIds],
    );
    return {
      waitingDocuments: rows[0]!.waitingDocuments,
      threads: new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row]]))),
    };
  }
}

function known(value: Given<string>, names: readonly string[]): string | null {
  const wanted = given(value);
  if (wanted === null) return null;
  return names.some((name) => normalisedName(name) === normalisedName(wanted)) ? wanted : null;
}
