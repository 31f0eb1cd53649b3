import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { quoted } from '#libs/kernel/text.js';
import { ArtifactLinks } from '#src/artifacts/library/application/ports/artifact-links.js';
import { type CardSource, type Reporter, rankAfter, rankOfFinished } from '../../domain/card.js';
import {
  type Given,
  readArtifactIds,
  readBody,
  readDocumentIds,
  readPullRequestUrls,
  readRelatedCards,
  readTitle,
} from '../../domain/card-texts.js';
import { columnThen } from '../../domain/history.js';
import type { BoardChange } from '../board-change.js';
import { BoardDoor } from '../board-door.js';
import { CardChecks, type ColumnChoice } from '../card-checks.js';
import { ChildQuestion } from '../child-question.js';
import { CardConnections } from '../ports/card-connections.js';
import { CardFeedback } from '../ports/card-feedback.js';
import { CardWork } from '../ports/card-work.js';
import { type CardFacts, Cards } from '../ports/cards.js';

export interface CreateCardInput extends ColumnChoice {
  readonly projectId: string;
  readonly title?: Given<string>;
  readonly body?: Given<string>;
  readonly type?: Given<string>;
  readonly reporter?: Given<string>;
  /** Old name of `reporter`. */
  readonly origin?: Given<string>;
  readonly pullRequestUrls?: Given<readonly string[]>;
  readonly documentIds?: Given<readonly string[]>;
  readonly artifactIds?: Given<readonly string[]>;
  readonly relatedCards?: Given<
    readonly { readonly cardId?: Given<string>; readonly kind?: Given<string> }[]
  >;
  readonly parentCardId?: Given<string>;
  readonly laneEnabled?: Given<boolean>;
  readonly childDesign?: Given<string>;
}

export interface CreatedCard {
  readonly cardId: string;
  readonly number: number;
  /** Of the board, with this card. */
  readonly revision: number;
}

const LANGUAGE = 'simple';

/** A new card at the end of a column. @throws InvalidInput with everything that is wrong; DomainError `column_gone`. */
@Injectable()
export class CreateCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly checks: CardChecks,
    private readonly children: ChildQuestion,
    private readonly artifacts: ArtifactLinks,
    private readonly feedback: CardFeedback,
    private readonly work: CardWork,
    private readonly projects: ProjectDirectory,
    private readonly ids: Ids,
  ) {}

  async execute(actor: Actor, input: CreateCardInput): Promise<CreatedCard> {
    const { projectId } = input;
    const request = { projectId, level: 'contribute', operation: 'board.card_created' } as const;
    const problems = new Problems();
    const title = readTitle(problems, input.title);
    const body = readBody(problems, input.body);
    if (input.body == null && actor.kind === 'connection')
      problems.add('body', 'is required; it may be empty.');
    const reporter = readReporter(problems, actor, input.reporter ?? input.origin);
    const urls = readPullRequestUrls(problems, input.pullRequestUrls ?? []);
    const documentIds = readDocumentIds(problems, input.documentIds ?? []);
    const artifactIds = readArtifactIds(problems, input.artifactIds ?? []);
    const links = readRelatedCards(problems, input.relatedCards ?? [], null);
    return this.door.change(actor, request, async (change) => {
      const { board, workflow } = change;
      const type = input.type ?? workflow.defaultType;
      this.checks.readType(problems, workflow, type);
      await this.checks.checkDocuments(problems, projectId, documentIds);
      await this.checks.checkArtifacts(problems, actor, projectId, artifactIds);
      await this.checks.checkRelated(problems, projectId, links, null);
      const chosen = this.checks.readColumn(problems, board, input);
      const parent = input.parentCardId
        ? await this.checks.readParent(problems, change, input.parentCardId, {
            id: null,
            type,
            parentCardId: null,
          })
        : null;
      const plan = await this.children.settle(problems, change, {
        childDesign: input.childDesign,
        parent,
        joins: true,
        columnChosen: chosen !== null,
        column: chosen ?? board.backlog,
        documentIds,
      });
      problems.throwIfAny();
      const column = plan.moveTo ?? chosen ?? board.backlog;
      const language = (await this.projects.byIds([projectId])).get(projectId)?.searchLanguage;
      const card: CardFacts = {
        id: this.ids.next(),
        projectId,
        number: board.takeNumber(),
        title,
        type,
        columnId: column.id,
        rank: column.terminal ? rankOfFinished(change.at) : rankAfter(await this.cards.lastRank(column.id)),
        reporter,
        source: await this.sourceOf(actor, projectId),
        parentCardId: parent?.id ?? null,
        laneEnabled: input.laneEnabled ?? true,
        completedAt: column.terminal ? change.at : null,
        createdAt: change.at,
        updatedAt: change.at,
        createdBy: personIdOf(actor),
        revision: change.revision,
        contentVersion: 1,
        held: false,
        paused: false,
        inSession: false,
        hasChildren: false,
        documentCount: documentIds.length,
      };
      await this.cards.add(card, body, language ?? LANGUAGE);
      await this.connect(change, card, urls, plan.documentIds, links);
      if (artifactIds.length > 0) await this.artifacts.replaceOfCard(actor, projectId, card.id, artifactIds);
      change.touch(card);
      change.note(card, 'created', { to: columnThen(column) });
      change.event('CardCreated', card.id, {
        cardId: card.id,
        number: card.number,
        columnId: column.id,
        parentCardId: card.parentCardId,
        source: card.source,
      });
      if (card.completedAt) {
        change.event('CardFinished', card.id, { cardId: card.id });
        await this.feedback.resolveOfCards([card.id], change.at);
      }
      change.progress(card.parentCardId);
      change.record('board.card_created', card, { column: column.slug });
      return { cardId: card.id, number: card.number, revision: change.revision };
    });
  }

  private async connect(
    change: BoardChange,
    card: CardFacts,
    urls: readonly string[],
    documentIds: readonly string[],
    links: Parameters<CardConnections['setLinks']>[1],
  ): Promise<void> {
    if (urls.length > 0) await this.connections.setPullRequests(card, urls, change.at);
    if (documentIds.length > 0) {
      await this.connections.setDocuments(card, documentIds);
      change.event('CardDocumentLinksChanged', card.id, { cardId: card.id, added: documentIds, removed: [] });
      change.lookAt.add(card.id);
    }
    if (links.length === 0) return;
    const others = await this.connections.setLinks(card, links);
    change.event('CardLinksChanged', card.id, { cardId: card.id, cardIds: others });
    await this.cards.touchMany(others, change.at, change.revision);
    for (const id of others) change.tell('card', id);
    for (const id of [card.id, ...others]) change.lookAt.add(id);
  }

  private async sourceOf(actor: Actor, projectId: string): Promise<CardSource> {
    const none = { runId: null, runCardNumber: null };
    if (actor.kind === 'person') return { kind: 'person', ...none };
    if (actor.kind !== 'connection') return { kind: 'loupe', ...none };
    if (actor.channel === 'widget') return { kind: 'widget', ...none };
    const run =
      actor.agentSessionId === null ? null : await this.work.runOfSession(projectId, actor.agentSessionId);
    return run
      ? { kind: 'run', runId: run.runId, runCardNumber: run.cardNumber }
      : { kind: 'agent', ...none };
  }
}

function readReporter(problems: Problems, actor: Actor, value: Given<string>): Reporter {
  if (actor.kind === 'person') return 'human';
  if (actor.kind === 'connection' && actor.channel === 'widget') return 'reviewer';
  if (value == null) return 'agent';
  if (value === 'human' || value === 'agent') return value;
  problems.add(
    'reporter',
    value === 'reviewer'
      ? 'Only the review widget writes reviewer.'
      : `Unknown value ${quoted(value)}. Use human or agent.`,
  );
  return 'agent';
}
