import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { CARDS_PER_ARTIFACT } from '../../domain/card-limits.js';
import { ArtifactNews } from '../artifact-news.js';
import { artifactIdOf, type NamedArtifact } from '../named-artifact.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { CardLinks } from '../ports/card-links.js';
import { type CardFact, LibraryHooks } from '../ports/library-hooks.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';

export interface SetArtifactCardsInput extends NamedArtifact {
  readonly projectId: string;
  /** The whole new list. */
  readonly cardIds?: readonly string[] | null;
  /** The same by number, for people; one of the two. */
  readonly cardNumbers?: readonly number[] | null;
}

export interface ArtifactCards {
  readonly artifactId: string;
  readonly cards: readonly CardFact[];
}

/** Replaces the cards that an artifact is linked to. @throws InvalidInput; DomainError naming the id that is no card. */
@Injectable()
export class SetArtifactCards {
  constructor(
    private readonly refusals: RefusalRecords,
    private readonly access: ProjectAccess,
    private readonly directory: ArtifactDirectory,
    private readonly workers: WorkerDoor,
    private readonly hooks: LibraryHooks,
    private readonly links: CardLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: ArtifactNews,
  ) {}

  async execute(actor: Actor, input: SetArtifactCardsInput): Promise<ArtifactCards> {
    const attempt = {
      operation: 'artifact.cards_changed',
      projectId: input.projectId,
      artifactId: input.artifactId ?? input.sessionId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: SetArtifactCardsInput): Promise<ArtifactCards> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const artifactId = artifactIdOf(input);
    const given = input.cardIds ?? input.cardNumbers;
    const argument = input.cardIds != null ? 'cardIds' : 'cardNumbers';
    if (given == null) throw new InvalidInput([{ argument: 'cardIds', sentence: 'is required' }]);
    const problems = new Problems();
    if (given.length > CARDS_PER_ARTIFACT)
      problems.add(argument, `must hold at most ${CARDS_PER_ARTIFACT} cards`);
    problems.throwIfAny();
    await this.workers.refuseWorkers(actor);
    await this.directory.require(actor, artifactId, 'write', projectId);
    const cards =
      input.cardIds != null
        ? await this.byIds(projectId, input.cardIds)
        : await this.byNumbers(projectId, input.cardNumbers!);
    const cardIds = cards.map(({ cardId }) => cardId);
    await this.unitOfWork.run(async () => {
      const change = await this.links.replaceOfArtifact(artifactId, projectId, cardIds, personIdOf(actor));
      if (change.added.length + change.removed.length === 0) return;
      await this.news.tell(
        actor,
        { id: artifactId, projectId },
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
    });
    const kept = await this.links.cardsOf(artifactId);
    const facts = new Map(cards.map((card) => [card.cardId, card]));
    return { artifactId, cards: kept.flatMap((id) => facts.get(id) ?? []) };
  }

  private async byIds(projectId: string, cardIds: readonly string[]): Promise<CardFact[]> {
    const ids = cardIds.map((id) => id.toLowerCase());
    const known = await this.hooks.cardsByIds(projectId, ids.filter(isUuid));
    return allOf(
      ids.map((id) => known.get(id)),
      'cardIds',
    );
  }

  private async byNumbers(projectId: string, numbers: readonly number[]): Promise<CardFact[]> {
    const known = await this.hooks.cardsByNumbers(projectId, numbers);
    return allOf(
      numbers.map((number) => known.get(number)),
      'cardNumbers',
    );
  }
}

/** Each card once. @throws InvalidInput that names every place where no card was found. */
function allOf(found: readonly (CardFact | undefined)[], argument: string): CardFact[] {
  const problems = new Problems();
  const cards = new Map<string, CardFact>();
  for (const [place, card] of found.entries()) {
    const element = `${argument}[${place}]`;
    if (card) cards.set(card.cardId, card);
    else problems.add(element, `${element} names no card of this project.`);
  }
  problems.throwIfAny();
  return [...cards.values()];
}
