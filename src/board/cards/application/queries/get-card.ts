import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { WorkflowTemplates } from '../../../workflow/application/ports/workflow-templates.js';
import { type Given, readCardName } from '../../domain/card-texts.js';
import { unknownCard } from '../known-card.js';
import { Cards } from '../ports/cards.js';
import { type FittingCard, writtenCard } from './answers-that-fit.js';
import { CardBodies } from './card-bodies.js';
import { CardReader } from './card-reader.js';
import type { FullCard, PageCardFacts } from './full-card.js';

export interface GetCardInput {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly number?: Given<number>;
}

/** A whole card as a page shows it. */
export type PageCard = Omit<FullCard, 'state'> &
  Omit<PageCardFacts, 'clears'> & {
    readonly state: (NonNullable<FullCard['state']> & { readonly clears: string | null }) | null;
    /** The body as safe HTML; null when it is too deep or too long to be rendered now. */
    readonly bodyHtml: string | null;
  };

/** One card in full. @throws InvalidInput for both or neither name; DomainError `not-found`. */
@Injectable()
export class GetCard {
  constructor(
    private readonly access: ProjectAccess,
    private readonly cards: Cards,
    private readonly reader: CardReader,
    private readonly templates: WorkflowTemplates,
    private readonly bodies: CardBodies,
  ) {}

  async execute(actor: Actor, input: GetCardInput): Promise<FullCard> {
    return (await this.read(actor, input)).card;
  }

  /** For whoever has just written it: a body that would make the answer too long is cut. */
  async written(actor: Actor, input: GetCardInput): Promise<FittingCard> {
    return writtenCard(await this.execute(actor, input));
  }

  /** As `card_get` answers: with the latest agent review of each pull request and the count of images left out. */
  async withReviews(actor: Actor, input: GetCardInput) {
    const card = await this.execute(actor, input);
    return { ...withAgentReviews(card), imagesOmitted: 0 };
  }

  async forPage(actor: Actor, input: GetCardInput): Promise<PageCard> {
    const { card, page } = await this.read(actor, input);
    const { clears, ...facts } = page;
    const bodyHtml = await this.bodies.html(card.body);
    return { ...withAgentReviews(card), ...facts, bodyHtml, state: card.state && { ...card.state, clears } };
  }

  private async read(actor: Actor, input: GetCardInput) {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const name = readCardName(input);
    const id = 'cardId' in name ? name.cardId : (await this.cards.find(projectId, name))?.id;
    if (id === undefined) throw unknownCard(name);
    const workflow = await this.templates.of(projectId);
    const [found] = await this.reader.read(projectId, [id], workflow);
    if (!found) throw unknownCard(name);
    return found;
  }
}

/** No agent can review code yet, so no pull request has a review. */
function withAgentReviews(card: FullCard) {
  return { ...card, pullRequests: card.pullRequests.map((link) => ({ ...link, agentReview: null })) };
}
