import { Injectable } from '@nestjs/common';
import { Ids } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';
import { CardConnections } from '../application/ports/card-connections.js';
import type { Card } from '../domain/card.js';
import type { RelatedCard } from '../domain/card-texts.js';
import { readPullRequestUrl } from '../domain/pull-request-url.js';

@Injectable()
export class PostgresCardConnections extends CardConnections {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {
    super();
  }

  override async setLinks(card: Card, links: readonly RelatedCard[]): Promise<string[]> {
    const before = await this.database.query<{ other: string; blocker: string | null }>(
      `SELECT CASE WHEN a_id = $1 THEN b_id ELSE a_id END AS other, blocker_id AS blocker
         FROM board.card_link WHERE a_id = $1 OR b_id = $1`,
      [card.id],
    );
    const blockerOf = ({ cardId, kind }: RelatedCard) =>
      kind === 'relates-to' ? null : kind === 'blocks' ? card.id : cardId;
    const wanted = new Map(links.map((link) => [link.cardId, blockerOf(link)]));
    const had = new Map(before.map((row) => [row.other, row.blocker]));
    const gone = [...had.keys()].filter((other) => !wanted.has(other));
    const changed = [...wanted].filter(([other, blocker]) => !had.has(other) || had.get(other) !== blocker);
    if (gone.length > 0)
      await this.database.query(
        'DELETE FROM board.card_link WHERE (a_id = $1 AND b_id = ANY($2::uuid[])) OR (b_id = $1 AND a_id = ANY($2::uuid[]))',
        [card.id, gone],
      );
    if (changed.length > 0)
      await this.database.query(
        `INSERT INTO board.card_link (project_id, a_id, b_id, blocker_id)
         SELECT $1, least($2::uuid, u.other), greatest($2::uuid, u.other), u.blocker
           FROM unnest($3::uuid[], $4::uuid[]) AS u (other, blocker)
         ON CONFLICT (a_id, b_id) DO UPDATE SET blocker_id = excluded.blocker_id`,
        [card.projectId, card.id, changed.map(([other]) => other), changed.map(([, blocker]) => blocker)],
      );
    return [...gone, ...changed.map(([other]) => other)];
  }

  override async setPullRequests(card: Card, urls: readonly string[], at: Date): Promise<boolean> {
    const before = await this.database.query<{ url: string }>(
      'SELECT url FROM board.card_pull_request WHERE card_id = $1 ORDER BY position',
      [card.id],
    );
    const had = before.map((row) => row.url);
    if (had.length === urls.length && had.every((url, index) => url === urls[index])) return false;
    await this.database.query(
      'DELETE FROM board.card_pull_request WHERE card_id = $1 AND NOT url = ANY($2::text[])',
      [card.id, urls],
    );
    const places = urls.map(readPullRequestUrl);
    await this.database.query(
      `INSERT INTO board.card_pull_request (id, card_id, project_id, url, forge, repository, number, added_at, position)
       SELECT u.id, $1, $2, u.url, u.forge, u.repository, u.number, $3, u.place - 1
         FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::int[])
              WITH ORDINALITY AS u (id, url, forge, repository, number, place)
       ON CONFLICT (card_id, url) DO UPDATE SET position = excluded.position`,
      [
        card.id,
        card.projectId,
        at,
        urls.map(() => this.ids.next()),
        urls,
        places.map((place) => place.forge),
        places.map((place) => place.repository),
        places.map((place) => place.number),
      ],
    );
    return true;
  }

  override async setDocuments(
    card: Card,
    documentIds: readonly string[],
  ): Promise<{ readonly added: string[]; readonly removed: string[]; readonly changed: boolean }> {
    const had = await this.documentIds(card.id);
    const added = documentIds.filter((id) => !had.includes(id));
    const removed = had.filter((id) => !documentIds.includes(id));
    const changed = had.length !== documentIds.length || had.some((id, index) => id !== documentIds[index]);
    if (!changed) return { added, removed, changed };
    await this.database.query(
      'DELETE FROM board.card_document WHERE card_id = $1 AND NOT document_id = ANY($2::uuid[])',
      [card.id, documentIds],
    );
    await this.database.query(
      `INSERT INTO board.card_document (card_id, document_id, project_id, position)
       SELECT $1, u.id, $2, u.place - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS u (id, place)
       ON CONFLICT (card_id, document_id) DO UPDATE SET position = excluded.position`,
      [card.id, card.projectId, documentIds],
    );
    return { added, removed, changed };
  }

  override async documentIds(cardId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT document_id AS id FROM board.card_document WHERE card_id = $1 ORDER BY position',
      [cardId],
    );
    return rows.map((row) => row.id);
  }

  override async linkedIds(cardId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT CASE WHEN a_id = $1 THEN b_id ELSE a_id END AS id
         FROM board.card_link WHERE a_id = $1 OR b_id = $1`,
      [cardId],
    );
    return rows.map((row) => row.id);
  }

  override async linkCounts(cardIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ id: string; n: number }>(
      `SELECT u.id, (SELECT count(*)::int FROM board.card_link l WHERE l.a_id = u.id OR l.b_id = u.id) AS n
         FROM unnest($1::uuid[]) AS u (id)`,
      [cardIds],
    );
    return new Map(rows.map((row) => [row.id, row.n]));
  }

  override async blockedBy(cardIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT b_id AS id FROM board.card_link WHERE a_id = ANY($1::uuid[]) AND blocker_id = a_id
       UNION SELECT a_id FROM board.card_link WHERE b_id = ANY($1::uuid[]) AND blocker_id = b_id`,
      [cardIds],
    );
    return rows.map((row) => row.id);
  }

  override async cardsOfDocument(projectId: string, documentId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT d.card_id AS id FROM board.card_document d JOIN board.card c ON c.id = d.card_id
        WHERE d.project_id = $1 AND d.document_id = $2 ORDER BY c.number`,
      [projectId, documentId],
    );
    return rows.map((row) => row.id);
  }
}
