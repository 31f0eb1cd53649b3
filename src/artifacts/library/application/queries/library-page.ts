import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import type { Maker } from '../../domain/artifact-types.js';
import type { CardFact } from '../ports/library-hooks.js';
import { type ArtifactRow, ArtifactRows, listRow, type RowWithMore, searchWords } from './artifact-rows.js';
import { LinkedCards } from './linked-cards.js';
import { ARTIFACT_TYPES } from './list-artifacts.js';
import { VersionLines } from './version-lines.js';

const PER_PAGE = 30;
const ORIGINS = ['push', 'empty', 'import', 'p2c', 'l2c', 'f2c', 'duplicate'];

export interface LibraryPageInput {
  readonly projectId: string;
  readonly page?: number | null;
  readonly perPage?: number | null;
  readonly archived?: string | null;
  readonly workspaceId?: string | null;
  readonly artifactType?: string | null;
  readonly origin?: string | null;
  readonly search?: string | null;
  readonly sort?: string | null;
}

/** A row as pages show it. */
export interface LibraryRow extends ArtifactRow {
  readonly workspaceName: string;
  readonly createdBy: { readonly kind: Maker['kind']; readonly displayName: string };
  readonly entryPath: string | null;
  readonly cards: readonly CardFact[];
}

export interface LibraryAnswer {
  readonly artifacts: readonly LibraryRow[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
  readonly total: number;
}

/** Adds names of people and cards to rows, each looked up in one go. */
@Injectable()
export class LibraryRows {
  constructor(
    private readonly lines: VersionLines,
    private readonly cards: LinkedCards,
  ) {}

  async of(projectId: string, rows: readonly RowWithMore[]): Promise<LibraryRow[]> {
    const names = await this.lines.names(rows.map(({ maker }) => maker.personId));
    const cards = await this.cards.of(
      projectId,
      rows.map(({ artifactId }) => artifactId),
    );
    return rows.map((row) => ({
      ...listRow(row),
      workspaceName: row.workspaceName,
      createdBy: { kind: row.maker.kind, displayName: names(row.maker.personId) },
      entryPath: row.entryPath,
      cards: cards.get(row.artifactId) ?? [],
    }));
  }
}

/** A page of the library in the browser; filters that nothing fits show nothing. */
@Injectable()
export class ListLibraryPage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly rows: ArtifactRows,
    private readonly libraryRows: LibraryRows,
  ) {}

  async execute(actor: Actor, input: LibraryPageInput): Promise<LibraryAnswer> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const { page, perPage } = clampPage(input.page ?? undefined, input.perPage ?? undefined, {
      defaultPerPage: PER_PAGE,
    });
    const filter = {
      projectId,
      archived: archivedOf(input.archived),
      workspaceId: input.workspaceId?.toLowerCase() || undefined,
      artifactType: input.artifactType || undefined,
      origin: input.origin || undefined,
      words: searchWords(input.search?.slice(0, 200)),
      forAgents: actor.kind === 'connection',
      sort: input.sort === 'changed' ? ('changed' as const) : ('newest' as const),
      limit: perPage + 1,
      offset: (page - 1) * perPage,
    };
    const unknown =
      (filter.workspaceId !== undefined && !isUuid(filter.workspaceId)) ||
      (filter.artifactType !== undefined && !ARTIFACT_TYPES.includes(filter.artifactType)) ||
      (filter.origin !== undefined && !ORIGINS.includes(filter.origin));
    if (unknown) return { artifacts: [], page, perPage, hasMore: false, total: 0 };
    const found = await this.rows.read(filter);
    return {
      artifacts: await this.libraryRows.of(projectId, found.slice(0, perPage)),
      page,
      perPage,
      hasMore: found.length > perPage,
      total: await this.rows.count(filter),
    };
  }
}

function archivedOf(given: string | null | undefined): 'without' | 'with' | 'only' {
  if (given === 'only') return 'only';
  return given === 'true' || given === '1' ? 'with' : 'without';
}
