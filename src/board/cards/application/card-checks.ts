import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { quoted } from '#libs/kernel/text.js';
import { ArtifactLinks } from '#src/artifacts/library/application/ports/artifact-links.js';
import { DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import type { BoardWorkflow } from '../../workflow/application/ports/workflow-templates.js';
import type { Board, Column } from '../domain/board.js';
import type { Given, RelatedCard } from '../domain/card-texts.js';
import { judgeParent } from '../domain/family.js';
import { LINKS_OF_CARD } from '../domain/limits.js';
import { columnGone } from '../domain/refusals.js';
import type { BoardChange } from './board-change.js';
import { CardConnections } from './ports/card-connections.js';
import { type CardFacts, Cards } from './ports/cards.js';

/** Where a card shall be: by the slug, as tools name columns, or by the id, as pages do. */
export interface ColumnChoice {
  readonly status?: Given<string>;
  readonly columnId?: Given<string>;
}

/** What is said about other things when a card is written: types, columns, documents, cards. */
@Injectable()
export class CardChecks {
  constructor(
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly documents: DocumentLookup,
    private readonly artifacts: ArtifactLinks,
  ) {}

  readType(problems: Problems, workflow: BoardWorkflow, key: string): void {
    if (workflow.hasType(key)) return;
    const keys = workflow.types.map((type) => type.key).join(', ');
    problems.add('type', `Unknown type ${quoted(key)}. Use one of: ${keys}.`);
  }

  /** Null when none is named, or the named one is wrong. @throws DomainError `column_gone` for an unknown id. */
  readColumn(problems: Problems, board: Board, choice: ColumnChoice): Column | null {
    const { status, columnId } = choice;
    if (columnId != null) {
      const column = board.columnById(columnId);
      if (!column) throw columnGone('columnId');
      return column;
    }
    if (status == null) return null;
    const column = board.columnBySlug(status);
    if (!column) problems.add('status', unknownColumn('status', status, board));
    return column;
  }

  /** Every id has to be a document of the project. */
  async checkDocuments(problems: Problems, projectId: string, documentIds: readonly string[]): Promise<void> {
    const known = await this.documents.byIds(projectId, documentIds.filter(isUuid));
    documentIds.forEach((id, at) => {
      if (isUuid(id) && !known.has(id))
        problems.add(`documentIds[${at}]`, 'Document not found or not accessible.');
    });
  }

  /** Every id has to be an artifact that the actor may link. @throws DomainError `switched-off`. */
  async checkArtifacts(
    problems: Problems,
    actor: Actor,
    projectId: string,
    artifactIds: readonly string[],
  ): Promise<void> {
    const known = await this.artifacts.known(actor, projectId, artifactIds.filter(isUuid));
    artifactIds.forEach((id, at) => {
      if (isUuid(id) && !known.has(id))
        problems.add(`artifactIds[${at}]`, 'Artifact not found or not accessible.');
    });
  }

  /** Every linked card has to be in the project and to have room for one more link. */
  async checkRelated(
    problems: Problems,
    projectId: string,
    links: readonly RelatedCard[],
    ownId: string | null,
  ): Promise<void> {
    const others = links.filter(({ cardId }) => isUuid(cardId) && cardId !== ownId);
    if (others.length === 0) return;
    const known = new Map(
      (
        await this.cards.findMany(
          projectId,
          others.map(({ cardId }) => cardId),
        )
      ).map((card) => [card.id, card]),
    );
    const linked = new Set(ownId === null ? [] : await this.connections.linkedIds(ownId));
    const counts = await this.connections.linkCounts([...known.keys()]);
    links.forEach(({ cardId }, at) => {
      if (!others.some((other) => other.cardId === cardId)) return;
      const card = known.get(cardId);
      if (!card) problems.add(`relatedCards[${at}].cardId`, 'Card not found or not accessible.');
      else if (!linked.has(cardId) && (counts.get(cardId) ?? 0) >= LINKS_OF_CARD)
        problems.add(`relatedCards[${at}].cardId`, `Card ${card.number} has ${LINKS_OF_CARD} links already.`);
    });
  }

  /** The parent, when it may be one for a card of this type; otherwise null and a problem. */
  async readParent(
    problems: Problems,
    change: BoardChange,
    parentCardId: string,
    child: { readonly id: string | null; readonly type: string; readonly parentCardId: string | null },
  ): Promise<CardFacts | null> {
    const id = parentCardId.toLowerCase();
    const parent = isUuid(id) ? await this.cards.find(change.board.projectId, { cardId: id }) : null;
    if (!parent) {
      problems.add('parentCardId', 'Card not found or not accessible.');
      return null;
    }
    if (parent.id === child.id) {
      problems.add('parentCardId', 'A card cannot be its own parent.');
      return null;
    }
    const { workflow } = change;
    judgeParent(
      problems,
      {
        number: parent.number,
        children: workflow.typeOf(parent.type).children,
        childCount: await this.cards.childCount(parent.id),
      },
      {
        mayHaveChildren: workflow.typeOf(child.type).children,
        isChildAlready: child.parentCardId === parent.id,
      },
    );
    return parent;
  }
}

/** Sentence for a slug that the board does not have. */
export function unknownColumn(what: 'status' | 'column', slug: string, board: Board): string {
  const wrong = slug.trim() === '' ? 'must not be blank' : `Unknown ${what} ${quoted(slug)}`;
  return `${wrong}. Use one of: ${board.slugs.join(', ')}.`;
}
