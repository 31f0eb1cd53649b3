import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { ArtifactLinks } from '#src/artifacts/library/application/ports/artifact-links.js';
import { DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import { DELETED_PERSON, PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { BoardWorkflow } from '../../../workflow/application/ports/workflow-templates.js';
import { CardFeedback } from '../ports/card-feedback.js';
import { PullRequestStates } from '../ports/pull-request-states.js';
import type { CardRef, FullCard, PageCardFacts, PullRequestAnswer, RelatedCardAnswer } from './full-card.js';
import { otherStates, STATE_COLUMNS, type StateColumns, tileState } from './state-answer.js';

interface HeadRow extends StateColumns {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly type: string;
  readonly columnId: string;
  readonly status: string;
  readonly reporter: string;
  readonly sourceKind: string;
  readonly sourceRunId: string | null;
  readonly sourceRunCardNumber: number | null;
  readonly parentCardId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  readonly createdBy: string | null;
  readonly revision: number;
  readonly contentVersion: number;
  readonly laneEnabled: boolean;
  readonly others: Parameters<typeof otherStates>[0];
  readonly hold: { since: string; heldBy: string | null } | null;
  readonly pause: {
    pauseId: string;
    kind: string;
    reason: string;
    ruleId: string | null;
    since: string;
  } | null;
  readonly sessions: { runId: string; name: string; openedAt: string }[] | null;
  readonly parent: CardRef | null;
}

/** More cards than this at once, and places are counted per column instead of per card. */
const FEW = 3;

/** Whole cards by lists of ids, in a fixed number of statements. */
@Injectable()
export class CardReader {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentLookup,
    private readonly artifacts: ArtifactLinks,
    private readonly people: PersonDirectory,
    private readonly pullRequestStates: PullRequestStates,
    private readonly feedback: CardFeedback,
  ) {}

  /** In the order of `ids`, as tools get them; what is not in the project is left out. */
  async cards(projectId: string, ids: readonly string[], workflow: BoardWorkflow): Promise<FullCard[]> {
    return (await this.read(projectId, ids, workflow)).map(({ card }) => card);
  }

  /** With what pages need beside it. */
  async read(
    projectId: string,
    ids: readonly string[],
    workflow: BoardWorkflow,
  ): Promise<{ readonly card: FullCard; readonly page: PageCardFacts }[]> {
    if (ids.length === 0) return [];
    const heads = await this.heads(projectId, ids);
    const found = heads.map((head) => head.cardId);
    const [positions, pullRequests, documents, artifacts, related, children, notes, names] =
      await Promise.all([
        this.positions(found),
        this.pullRequests(projectId, found),
        this.documentsOf(projectId, found),
        this.artifacts.ofCards(projectId, found),
        this.related(found),
        this.children(found),
        this.feedback.ofCards(found),
        this.names(heads),
      ]);
    return heads.map((head) => {
      const type = workflow.typeOf(head.type);
      const state = tileState(head);
      const kids = children.get(head.cardId) ?? [];
      const since = (text: string) => new Date(text).toISOString();
      const card: FullCard = {
        cardId: head.cardId,
        number: head.number,
        title: head.title,
        body: head.body,
        type: head.type,
        status: head.status,
        reporter: head.reporter,
        source: {
          kind: head.sourceKind,
          runId: head.sourceRunId,
          runCardNumber: head.sourceRunCardNumber,
        },
        position: positions.get(head.cardId) ?? 0,
        parentCardId: head.parentCardId,
        createdAt: head.createdAt.toISOString(),
        updatedAt: head.updatedAt.toISOString(),
        completedAt: head.completedAt?.toISOString() ?? null,
        state: state && {
          kind: state.kind,
          code: state.code,
          since: state.since,
          reason: state.reason,
          others: otherStates(head.others),
        },
        hold: head.hold && {
          since: since(head.hold.since),
          heldBy: (head.hold.heldBy !== null && names.get(head.hold.heldBy)) || DELETED_PERSON,
        },
        pause: head.pause && { ...head.pause, since: since(head.pause.since) },
        pullRequests: pullRequests.get(head.cardId) ?? [],
        documents: documents.get(head.cardId) ?? [],
        ...(artifacts === null ? {} : { artifacts: artifacts.get(head.cardId) ?? [] }),
        relatedCards: related.get(head.cardId) ?? [],
        parent: head.parent,
        laneEnabled: head.laneEnabled,
        children: kids.map(({ done: _, ...ref }) => ref),
        progress: type.children ? { done: kids.filter((kid) => kid.done).length, total: kids.length } : null,
        siteReviewComments: notes.get(head.cardId) ?? [],
      };
      const page: PageCardFacts = {
        columnId: head.columnId,
        contentVersion: head.contentVersion,
        revision: head.revision,
        createdBy: head.createdBy === null ? null : { name: names.get(head.createdBy) ?? DELETED_PERSON },
        lane: type.lane,
        clears: state?.clears ?? null,
        sessions: (head.sessions ?? []).map((session) => ({
          ...session,
          state: 'running',
          openedAt: since(session.openedAt),
        })),
      };
      return { card, page };
    });
  }

  private async heads(projectId: string, ids: readonly string[]): Promise<HeadRow[]> {
    return this.database.query<HeadRow>(
      `SELECT c.id AS "cardId", c.number, c.title, t.body, c.type, c.column_id AS "columnId", k.slug AS status,
         c.reporter, c.source_kind AS "sourceKind", c.source_run_id AS "sourceRunId",
         c.source_run_card_number AS "sourceRunCardNumber", c.parent_card_id AS "parentCardId",
         c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.completed_at AS "completedAt",
         c.created_by AS "createdBy", c.revision, c.content_version AS "contentVersion", c.lane_enabled AS "laneEnabled",
         (SELECT json_build_object('since', h.held_at, 'heldBy', h.held_by) FROM board.card_hold h
           WHERE h.card_id = c.id) AS hold,
         (SELECT json_build_object('pauseId', z.id, 'kind', z.kind, 'reason', z.reason, 'ruleId', z.rule_id,
                   'since', z.since) FROM board.card_pause z WHERE z.card_id = c.id AND z.ended_at IS NULL) AS pause,
         (SELECT json_agg(json_build_object('runId', r.run_id, 'name', r.name, 'openedAt', r.opened_at)
                   ORDER BY r.opened_at) FROM board.card_session r
           WHERE r.card_id = c.id AND r.closed_at IS NULL) AS sessions,
         (SELECT json_build_object('cardId', p.id, 'number', p.number, 'title', p.title, 'status', pk.slug)
            FROM board.card p JOIN board.board_column pk ON pk.id = p.column_id
           WHERE p.id = c.parent_card_id) AS parent,
         s.others, ${STATE_COLUMNS}
       FROM unnest($2::uuid[]) WITH ORDINALITY AS u (id, place)
       JOIN board.card c ON c.id = u.id
       JOIN board.card_body t ON t.card_id = c.id
       JOIN board.board_column k ON k.id = c.column_id
       LEFT JOIN board.card_state s ON s.card_id = c.id
       WHERE c.project_id = $1 ORDER BY u.place`,
      [projectId, ids],
    );
  }

  private async positions(ids: readonly string[]): Promise<Map<string, number>> {
    const counted =
      ids.length <= FEW
        ? `SELECT c.id, (SELECT count(*)::int FROM board.card o
             WHERE o.column_id = c.column_id AND o.completed_at IS NULL AND o.rank < c.rank) AS position
           FROM board.card c WHERE c.id = ANY($1::uuid[]) AND c.completed_at IS NULL`
        : `SELECT id, position FROM (
             SELECT id, (row_number() OVER (PARTITION BY column_id ORDER BY rank) - 1)::int AS position
               FROM board.card WHERE completed_at IS NULL
                AND column_id IN (SELECT column_id FROM board.card WHERE id = ANY($1::uuid[]))) placed
           WHERE id = ANY($1::uuid[])`;
    const rows = await this.database.query<{ id: string; position: number }>(counted, [ids]);
    return new Map(rows.map((row) => [row.id, row.position]));
  }

  private async pullRequests(
    projectId: string,
    ids: readonly string[],
  ): Promise<Map<string, PullRequestAnswer[]>> {
    const rows = await this.database.query<
      Omit<PullRequestAnswer, 'addedAt' | 'state'> & { cardId: string; addedAt: Date }
    >(
      `SELECT card_id AS "cardId", id AS "pullRequestId", url, forge, repository, number, added_at AS "addedAt"
         FROM board.card_pull_request WHERE card_id = ANY($1::uuid[]) ORDER BY card_id, position`,
      [ids],
    );
    const states = rows.length > 0 ? await this.pullRequestStates.of(projectId, rows) : new Map();
    return grouped(rows, ({ cardId: _, ...link }) => ({
      ...link,
      addedAt: link.addedAt.toISOString(),
      state: states.get(link.pullRequestId) ?? null,
    }));
  }

  private async documentsOf(projectId: string, ids: readonly string[]) {
    const rows = await this.database.query<{ cardId: string; documentId: string }>(
      `SELECT card_id AS "cardId", document_id AS "documentId" FROM board.card_document
        WHERE card_id = ANY($1::uuid[]) ORDER BY card_id, position`,
      [ids],
    );
    const facts = await this.documents.byIds(projectId, [...new Set(rows.map((row) => row.documentId))]);
    // A deleted document disappears, an archived one stays.
    const known = rows.filter((row) => facts.has(row.documentId));
    return grouped(known, ({ documentId }) => {
      const { title, status } = facts.get(documentId)!;
      return { documentId, title, status };
    });
  }

  private async related(ids: readonly string[]): Promise<Map<string, RelatedCardAnswer[]>> {
    const rows = await this.database.query<RelatedCardAnswer & { ownId: string }>(
      `SELECT e.own AS "ownId", o.id AS "cardId", o.number, o.title, k.slug AS status,
         CASE WHEN e.blocker IS NULL THEN 'relates-to' WHEN e.blocker = e.own THEN 'blocks' ELSE 'blocked-by' END AS kind
       FROM (SELECT a_id AS own, b_id AS other, blocker_id AS blocker FROM board.card_link WHERE a_id = ANY($1::uuid[])
             UNION ALL SELECT b_id, a_id, blocker_id FROM board.card_link WHERE b_id = ANY($1::uuid[])) e
       JOIN board.card o ON o.id = e.other JOIN board.board_column k ON k.id = o.column_id
       ORDER BY o.number`,
      [ids],
    );
    return grouped(
      rows.map(({ ownId, ...row }) => ({ cardId: ownId, row })),
      ({ row }) => row,
    );
  }

  private async children(ids: readonly string[]): Promise<Map<string, (CardRef & { done: boolean })[]>> {
    const rows = await this.database.query<CardRef & { done: boolean; parentId: string }>(
      `SELECT n.parent_card_id AS "parentId", n.id AS "cardId", n.number, n.title, k.slug AS status,
              n.completed_at IS NOT NULL AS done
         FROM board.card n JOIN board.board_column k ON k.id = n.column_id
        WHERE n.parent_card_id = ANY($1::uuid[]) ORDER BY k.position, n.rank, n.id`,
      [ids],
    );
    return grouped(
      rows.map(({ parentId, ...row }) => ({ cardId: parentId, row })),
      ({ row }) => row,
    );
  }

  private async names(heads: readonly HeadRow[]): Promise<Map<string, string>> {
    const ids = heads.flatMap((head) => [head.createdBy, head.hold?.heldBy ?? null]);
    const known = [...new Set(ids.filter((id): id is string => id !== null))];
    return known.length === 0 ? new Map() : this.people.names(known);
  }
}

function grouped<Row extends { readonly cardId: string }, Out>(
  rows: readonly Row[],
  make: (row: Row) => Out,
): Map<string, Out[]> {
  const groups = new Map<string, Out[]>();
  for (const row of rows) {
    const group = groups.get(row.cardId);
    if (group) group.push(make(row));
    else groups.set(row.cardId, [make(row)]);
  }
  return groups;
}
