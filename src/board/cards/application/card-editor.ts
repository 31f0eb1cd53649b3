import { Injectable } from '@nestjs/common';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { ArtifactLinks } from '#src/artifacts/library/application/ports/artifact-links.js';
import {
  type Given,
  readArtifactIds,
  readBody,
  readDocumentIds,
  readPullRequestUrls,
  readRelatedCards,
  readTitle,
} from '../domain/card-texts.js';
import { judgeType } from '../domain/family.js';
import type { BoardChange } from './board-change.js';
import { CardChecks, type ColumnChoice } from './card-checks.js';
import { CardMover, type MoveOptions } from './card-mover.js';
import { ChildQuestion } from './child-question.js';
import { CardConnections } from './ports/card-connections.js';
import { type CardFacts, Cards } from './ports/cards.js';

/** Absent fields stay as they are; a list replaces the whole set. */
export interface CardEdit extends ColumnChoice {
  readonly title?: Given<string>;
  readonly body?: Given<string>;
  readonly type?: Given<string>;
  readonly pullRequestUrls?: Given<readonly string[]>;
  readonly documentIds?: Given<readonly string[]>;
  readonly artifactIds?: Given<readonly string[]>;
  readonly relatedCards?: Given<
    readonly { readonly cardId?: Given<string>; readonly kind?: Given<string> }[]
  >;
  /** The empty text takes the card out of its epic. */
  readonly parentCardId?: Given<string>;
  readonly clearParent?: Given<boolean>;
  readonly laneEnabled?: Given<boolean>;
  readonly childDesign?: Given<string>;
  /** A drag into an epic asks no question about its design. */
  readonly settledParent?: boolean;
  /** Version of title and body that a form was opened with. */
  readonly contentVersion?: Given<number>;
  /** Writes title and body over those of somebody else. */
  readonly force?: Given<boolean>;
}

/** Changes fields, connections, parent and column of a card: all of it, or nothing. */
@Injectable()
export class CardEditor {
  constructor(
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly checks: CardChecks,
    private readonly children: ChildQuestion,
    private readonly mover: CardMover,
    private readonly artifacts: ArtifactLinks,
  ) {}

  /** @throws InvalidInput with everything that is wrong; DomainError `card_changed` and those of a move. */
  async edit(change: BoardChange, card: CardFacts, edit: CardEdit, move: MoveOptions = {}): Promise<void> {
    const problems = new Problems();
    const { board, workflow } = change;
    const title = edit.title == null ? card.title : readTitle(problems, edit.title);
    const body = edit.body == null ? null : readBody(problems, edit.body);
    const type = edit.type ?? card.type;
    if (type !== card.type) this.checks.readType(problems, workflow, type);
    const urls = edit.pullRequestUrls == null ? null : readPullRequestUrls(problems, edit.pullRequestUrls);
    let documentIds = edit.documentIds == null ? null : readDocumentIds(problems, edit.documentIds);
    if (documentIds) await this.checks.checkDocuments(problems, board.projectId, documentIds);
    const artifactIds = edit.artifactIds == null ? null : readArtifactIds(problems, edit.artifactIds);
    if (artifactIds) await this.checks.checkArtifacts(problems, change.actor, board.projectId, artifactIds);
    const links = edit.relatedCards == null ? null : readRelatedCards(problems, edit.relatedCards, card.id);
    if (links) await this.checks.checkRelated(problems, board.projectId, links, card.id);
    let target = this.checks.readColumn(problems, board, edit);
    const parent = await this.readParent(problems, change, card, edit, type);
    if (type !== card.type && !problems.has('type'))
      judgeType(problems, workflow.typeOf(type), {
        hasParent: parent.id !== null,
        hasChildren: card.hasChildren,
      });
    if (edit.childDesign != null || (parent.joins && parent.card && !edit.settledParent)) {
      const plan = await this.children.settle(problems, change, {
        childDesign: edit.childDesign,
        parent: parent.card ?? (await this.parentOf(change, parent.id)),
        joins: parent.joins,
        columnChosen: target !== null,
        column: target ?? board.columnOf(card.columnId),
        documentIds: documentIds ?? (await this.connections.documentIds(card.id)),
      });
      if (edit.childDesign === 'inherit') documentIds = [...plan.documentIds];
      target = plan.moveTo ?? target;
    }
    problems.throwIfAny();
    const fields = [
      ...(await this.writeText(change, card, title, body, edit)),
      ...this.writePlain(card, type, edit.laneEnabled ?? card.laneEnabled),
      ...(urls ? await this.writePullRequests(change, card, urls) : []),
      ...(documentIds ? await this.writeDocuments(change, card, documentIds) : []),
      ...(artifactIds ? await this.writeArtifacts(change, card, artifactIds) : []),
      ...(links ? await this.writeLinks(change, card, links) : []),
    ];
    if (parent.id !== card.parentCardId) fields.push(...(await this.writeParent(change, card, parent)));
    const moved = target !== null && (await this.mover.move(change, card, target, move));
    if (fields.length > 0) {
      change.touch(card);
      change.event('CardUpdated', card.id, { cardId: card.id, changed: fields });
      change.record('board.card_updated', card, { fields });
      if (fields.includes('laneEnabled') || fields.includes('type')) change.tell('lane', card.id);
    }
    if (fields.length > 0 || moved) await this.cards.save(card);
  }

  private async readParent(
    problems: Problems,
    change: BoardChange,
    card: CardFacts,
    edit: CardEdit,
    type: string,
  ): Promise<{ readonly id: string | null; readonly card: CardFacts | null; readonly joins: boolean }> {
    const wanted = edit.parentCardId;
    if (edit.clearParent && wanted)
      problems.add('clearParent', 'Pass clearParent or parentCardId, not both.');
    else if (wanted) {
      const parent = await this.checks.readParent(problems, change, wanted, { ...card, type });
      return { id: parent?.id ?? null, card: parent, joins: parent?.id !== card.parentCardId };
    } else if (edit.clearParent || wanted === '') return { id: null, card: null, joins: false };
    return { id: card.parentCardId, card: null, joins: false };
  }

  private async parentOf(change: BoardChange, id: string | null): Promise<CardFacts | null> {
    return id === null ? null : this.cards.find(change.board.projectId, { cardId: id });
  }

  private async writeText(
    change: BoardChange,
    card: CardFacts,
    title: string,
    body: string | null,
    edit: CardEdit,
  ): Promise<string[]> {
    if (edit.title == null && body === null) return [];
    const before = await this.cards.body(card.id);
    const after = body ?? before;
    const fields = [...(title === card.title ? [] : ['title']), ...(after === before ? [] : ['body'])];
    if (fields.length === 0) return [];
    const { contentVersion, force } = edit;
    if (contentVersion != null && contentVersion !== card.contentVersion && !force)
      throw conflict('card_changed', 'This card changed since you opened it.', {
        current: { title: card.title, body: before, contentVersion: card.contentVersion },
      });
    card.title = title;
    card.contentVersion += 1;
    await this.cards.saveText(card.id, title, after);
    if (card.parentCardId !== null) change.stale.add(card.parentCardId);
    return fields;
  }

  private writePlain(card: CardFacts, type: string, laneEnabled: boolean): string[] {
    const fields = [
      ...(type === card.type ? [] : ['type']),
      ...(laneEnabled === card.laneEnabled ? [] : ['laneEnabled']),
    ];
    card.type = type;
    card.laneEnabled = laneEnabled;
    return fields;
  }

  private async writePullRequests(
    change: BoardChange,
    card: CardFacts,
    urls: readonly string[],
  ): Promise<string[]> {
    return (await this.connections.setPullRequests(card, urls, change.at)) ? ['pullRequests'] : [];
  }

  private async writeDocuments(
    change: BoardChange,
    card: CardFacts,
    documentIds: readonly string[],
  ): Promise<string[]> {
    const { added, removed, changed } = await this.connections.setDocuments(card, documentIds);
    if (added.length + removed.length > 0) {
      change.event('CardDocumentLinksChanged', card.id, { cardId: card.id, added, removed });
      change.lookAt.add(card.id);
    }
    return changed ? ['documents'] : [];
  }

  private async writeArtifacts(
    change: BoardChange,
    card: CardFacts,
    artifactIds: readonly string[],
  ): Promise<string[]> {
    const { actor, board } = change;
    const changed = await this.artifacts.replaceOfCard(actor, board.projectId, card.id, artifactIds);
    return changed ? ['artifacts'] : [];
  }

  private async writeLinks(
    change: BoardChange,
    card: CardFacts,
    links: Parameters<CardConnections['setLinks']>[1],
  ): Promise<string[]> {
    const others = await this.connections.setLinks(card, links);
    if (others.length === 0) return [];
    change.event('CardLinksChanged', card.id, { cardId: card.id, cardIds: others });
    for (const id of [card.id, ...others]) change.lookAt.add(id);
    await this.cards.touchMany(others, change.at, change.revision);
    for (const id of others) change.tell('card', id);
    return ['links'];
  }

  private async writeParent(
    change: BoardChange,
    card: CardFacts,
    parent: { readonly id: string | null; readonly card: CardFacts | null },
  ): Promise<string[]> {
    const former = await this.parentOf(change, card.parentCardId);
    const named = (one: CardFacts | null) => one && { cardId: one.id, number: one.number };
    change.note(card, 'parent-changed', { fromParent: named(former), toParent: named(parent.card) });
    change.event('CardParentChanged', card.id, {
      cardId: card.id,
      fromParentId: card.parentCardId,
      toParentId: parent.id,
    });
    change.progress(card.parentCardId);
    change.progress(parent.id);
    card.parentCardId = parent.id;
    return ['parent'];
  }
}
