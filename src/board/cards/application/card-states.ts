import { Injectable } from '@nestjs/common';
import { DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import { chooseState, MARKERS, type Marker } from '../domain/card-state.js';
import type { BoardChange } from './board-change.js';
import { CardMarks, type MarkerFacts, type StoredState } from './ports/card-marks.js';
import { Cards } from './ports/cards.js';

/** Works out the states of cards from stored facts, and stores them, so that no list computes any. */
@Injectable()
export class CardStates {
  constructor(
    private readonly marks: CardMarks,
    private readonly documents: DocumentLookup,
    private readonly cards: Cards,
  ) {}

  /** Looks again at the cards of the change whose state may be another one now. */
  async refresh(change: BoardChange): Promise<void> {
    if (change.lookAt.size > 0) await this.restate(change);
    if (change.stale.size > 0 && change.happened)
      await this.cards.setRevision([...change.stale], change.revision);
  }

  private async restate(change: BoardChange): Promise<void> {
    const { projectId } = change.board;
    const facts = await this.marks.markerFacts([...change.lookAt]);
    const linked = [...new Set(facts.flatMap((fact) => (fact.finished ? [] : fact.documentIds)))];
    const documents = await this.documents.byIds(projectId, linked);
    const put: StoredState[] = [];
    const drop: string[] = [];
    for (const fact of facts) {
      const chosen = fact.finished ? null : chooseState(markersOf(fact, documents));
      const { stored } = fact;
      if (chosen) {
        const { code } = chosen.shown;
        const { kind } = MARKERS[code];
        put.push({ cardId: fact.cardId, kind, ...chosen });
        const same =
          stored?.code === code &&
          (stored.since?.getTime() ?? null) === (chosen.shown.since?.getTime() ?? null);
        if (!same) announce(change, fact.cardId, kind, code);
      } else if (stored) {
        drop.push(fact.cardId);
        announce(change, fact.cardId, null, null);
      }
    }
    if (put.length > 0) await this.marks.putStates(projectId, put, change.at);
    if (drop.length > 0) await this.marks.dropStates(drop);
  }
}

function announce(change: BoardChange, cardId: string, kind: string | null, code: string | null): void {
  change.event('CardStateChanged', cardId, { cardId, kind, code });
  change.stale.add(cardId);
  change.tell('card', cardId);
}

function markersOf(fact: MarkerFacts, documents: Awaited<ReturnType<DocumentLookup['byIds']>>): Marker[] {
  const inReview = fact.documentIds
    .flatMap((id) => documents.get(id) ?? [])
    .filter((document) => document.status === 'in-review' && !document.archived);
  return [
    ...(fact.pause ? [marker('paused', fact.pause.since, { reason: fact.pause.reason })] : []),
    ...inReview.map(({ title, submittedAt }) => marker('document-in-review', submittedAt, { title })),
    ...fact.sessions.map(({ name, since }) => marker('session-open', since, { name })),
    ...fact.blockers.map((number) => marker('held-by-blocker', null, { number })),
  ];
}

function marker(code: Marker['code'], since: Date | null, params: Marker['params']): Marker {
  return { code, since, params };
}
