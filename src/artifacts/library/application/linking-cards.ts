import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import { ArtifactNews } from './artifact-news.js';
import { ArtifactAddresses } from './ports/artifact-addresses.js';
import { ArtifactLinks, type LinkedArtifact } from './ports/artifact-links.js';
import { CardLinks } from './ports/card-links.js';

const FLAG = 'artifacts.enabled';

/** Links as the board reads and writes them. */
@Injectable()
export class LinkingCards extends ArtifactLinks {
  constructor(
    private readonly database: Database,
    private readonly links: CardLinks,
    private readonly news: ArtifactNews,
    private readonly addresses: ArtifactAddresses,
    private readonly flags: Flags,
  ) {
    super();
  }

  override async ofCards(
    projectId: string,
    cardIds: readonly string[],
  ): Promise<Map<string, LinkedArtifact[]> | null> {
    if (!this.flags.isOn(FLAG)) return null;
    const rows = await this.database.query<Omit<LinkedArtifact, 'url'> & { cardId: string }>(
      `SELECT l.card_id AS "cardId", a.id AS "artifactId", a.name, a.artifact_type AS "artifactType",
              a.latest_version AS "latestVersion", a.archived_at IS NOT NULL AS archived
       FROM artifacts.card_link l JOIN artifacts.artifact a ON a.id = l.artifact_id
       WHERE l.card_id = ANY($1) AND a.project_id = $2 AND a.deleted_at IS NULL ORDER BY l.position`,
      [cardIds, projectId],
    );
    const byCard = new Map<string, LinkedArtifact[]>();
    for (const { cardId, ...row } of rows) {
      const list = byCard.get(cardId) ?? [];
      list.push({ ...row, url: this.addresses.page(projectId, row.artifactId) });
      byCard.set(cardId, list);
    }
    return byCard;
  }

  override async known(
    actor: Actor,
    projectId: string,
    artifactIds: readonly string[],
  ): Promise<Set<string>> {
    if (artifactIds.length === 0) return new Set();
    if (!this.flags.isOn(FLAG)) {
      throw new DomainError('switched-off', 'switched_off', this.flags.refusal(FLAG));
    }
    const rows = await this.database.query<{ id: string }>(
      `SELECT a.id FROM artifacts.artifact a JOIN artifacts.workspace w ON w.id = a.workspace_id
       WHERE a.project_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL
         AND (NOT $3 OR w.agent_access <> 'none')`,
      [projectId, artifactIds, actor.kind === 'connection'],
    );
    return new Set(rows.map(({ id }) => id));
  }

  override async replaceOfCard(
    actor: Actor,
    projectId: string,
    cardId: string,
    artifactIds: readonly string[],
  ): Promise<boolean> {
    const { added, removed } = await this.links.replaceOfCard(
      cardId,
      projectId,
      artifactIds,
      personIdOf(actor),
    );
    const changes = [
      ...added.map((id) => ({ id, added: [cardId], removed: [] as string[] })),
      ...removed.map((id) => ({ id, added: [] as string[], removed: [cardId] })),
    ];
    for (const { id, ...change } of changes) {
      await this.news.tell(
        actor,
        { id, projectId },
        {
          events: [{ type: 'ArtifactCardsChanged', payload: { ...change, by: personIdOf(actor) } }],
          audit: [
            {
              operation: 'artifact.cards_changed',
              context: { added: change.added.length, removed: change.removed.length },
            },
          ],
          live: ['cards'],
        },
      );
    }
    return changes.length > 0;
  }
}
