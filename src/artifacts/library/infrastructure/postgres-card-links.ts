import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Database } from '#libs/persistence/database.js';
import { CardLinks, type LinkChange } from '../application/ports/card-links.js';
import { ARTIFACTS_PER_CARD, CARDS_PER_ARTIFACT } from '../domain/card-limits.js';
import { overLimit } from '../domain/refusals.js';

/** The rows of the artifacts are the locks of the limits. */
@Injectable()
export class PostgresCardLinks extends CardLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async cardsOf(artifactId: string): Promise<string[]> {
    return this.column(
      'SELECT card_id AS id FROM artifacts.card_link WHERE artifact_id = $1 ORDER BY position',
      [artifactId],
    );
  }

  override async add(
    projectId: string,
    artifactId: string,
    cardIds: readonly string[],
    personId: string | null,
    at: Date,
  ): Promise<string[]> {
    await this.lockArtifacts([artifactId]);
    const added = await this.column(
      `INSERT INTO artifacts.card_link (artifact_id, card_id, project_id, created_at, created_by)
       SELECT $1, c.id, $3, $4, $5 FROM unnest($2::uuid[]) WITH ORDINALITY c(id, place) ORDER BY c.place
       ON CONFLICT DO NOTHING RETURNING card_id AS id`,
      [artifactId, cardIds, projectId, at, personId],
    );
    if (added.length > 0) await this.requireRoom([artifactId], added);
    return added;
  }

  override async replaceOfArtifact(
    artifactId: string,
    projectId: string,
    cardIds: readonly string[],
    by: string | null,
  ): Promise<LinkChange> {
    await this.lockArtifacts([artifactId]);
    const removed = await this.column(
      `DELETE FROM artifacts.card_link WHERE artifact_id = $1 AND card_id <> ALL($2::uuid[])
       RETURNING card_id AS id`,
      [artifactId, cardIds],
    );
    return { removed, added: await this.add(projectId, artifactId, cardIds, by, this.clock.now()) };
  }

  override async replaceOfCard(
    cardId: string,
    projectId: string,
    artifactIds: readonly string[],
    by: string | null,
  ): Promise<LinkChange> {
    await this.lockArtifacts(artifactIds);
    const removed = await this.column(
      `DELETE FROM artifacts.card_link WHERE card_id = $1 AND artifact_id <> ALL($2::uuid[])
       RETURNING artifact_id AS id`,
      [cardId, artifactIds],
    );
    const added = await this.column(
      `INSERT INTO artifacts.card_link (artifact_id, card_id, project_id, created_at, created_by)
       SELECT a.id, $1, $3, $4, $5 FROM unnest($2::uuid[]) WITH ORDINALITY a(id, place) ORDER BY a.place
       ON CONFLICT DO NOTHING RETURNING artifact_id AS id`,
      [cardId, artifactIds, projectId, this.clock.now(), by],
    );
    if (added.length > 0) await this.requireRoom(added, [cardId]);
    return { added, removed };
  }

  override async dropCard(cardId: string): Promise<string[]> {
    return this.column('DELETE FROM artifacts.card_link WHERE card_id = $1 RETURNING artifact_id AS id', [
      cardId,
    ]);
  }

  private async requireRoom(artifactIds: readonly string[], cardIds: readonly string[]): Promise<void> {
    const artifacts = await this.column(
      `SELECT artifact_id AS id FROM artifacts.card_link WHERE artifact_id = ANY($1)
       GROUP BY artifact_id HAVING count(*) > $2`,
      [artifactIds, CARDS_PER_ARTIFACT],
    );
    if (artifacts.length > 0) {
      throw overLimit(`An artifact is linked to at most ${CARDS_PER_ARTIFACT} cards. Unlink some first.`);
    }
    const cards = await this.column(
      `SELECT card_id AS id FROM artifacts.card_link WHERE card_id = ANY($1)
       GROUP BY card_id HAVING count(*) > $2`,
      [cardIds, ARTIFACTS_PER_CARD],
    );
    if (cards.length > 0) {
      throw overLimit(`A card is linked to at most ${ARTIFACTS_PER_CARD} artifacts. Unlink some first.`);
    }
  }

  private async lockArtifacts(ids: readonly string[]): Promise<void> {
    this.database.requireTransaction();
    await this.database.query(
      'SELECT 1 FROM artifacts.artifact WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
      [ids],
    );
  }

  private async column(sql: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.database.query<{ id: string }>(sql, values)).map(({ id }) => id);
  }
}
