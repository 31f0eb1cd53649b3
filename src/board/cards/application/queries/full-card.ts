import type { LinkedArtifact } from '#src/artifacts/library/application/ports/artifact-links.js';
import type { PullRequestState } from '../ports/pull-request-states.js';
import type { StateSummary } from './state-answer.js';

export interface CardRef {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
}

export interface RelatedCardAnswer extends CardRef {
  readonly kind: 'relates-to' | 'blocks' | 'blocked-by';
}

export interface PullRequestAnswer {
  readonly pullRequestId: string;
  readonly url: string;
  readonly forge: 'github' | 'other';
  readonly repository: string | null;
  readonly number: number | null;
  readonly addedAt: string;
  /** Null when it was never read. */
  readonly state: PullRequestState | null;
}

/** A whole card as tools get it (`board.md` 8.1). */
export interface FullCard {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly type: string;
  readonly status: string;
  readonly reporter: string;
  readonly source: {
    readonly kind: string;
    readonly runId: string | null;
    readonly runCardNumber: number | null;
  };
  readonly position: number;
  readonly parentCardId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
  readonly state:
    | (StateSummary & {
        readonly reason: string;
        readonly others: readonly (StateSummary & { readonly reason: string })[];
      })
    | null;
  readonly hold: { readonly since: string; readonly heldBy: string } | null;
  readonly pause: {
    readonly pauseId: string;
    readonly kind: string;
    readonly reason: string;
    readonly ruleId: string | null;
    readonly since: string;
  } | null;
  readonly pullRequests: readonly PullRequestAnswer[];
  readonly documents: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly status: string;
  }[];
  /** Absent while artifacts are switched off. */
  readonly artifacts?: readonly LinkedArtifact[];
  readonly relatedCards: readonly RelatedCardAnswer[];
  readonly parent: CardRef | null;
  readonly laneEnabled: boolean;
  readonly children: readonly CardRef[];
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly siteReviewComments: readonly object[];
}

/** What pages need of a card beside that. */
export interface PageCardFacts {
  readonly columnId: string;
  readonly contentVersion: number;
  readonly revision: number;
  readonly createdBy: { readonly name: string } | null;
  /** Whether its type may be drawn as a lane. */
  readonly lane: boolean;
  /** What ends the state. */
  readonly clears: string | null;
  readonly sessions: readonly {
    readonly runId: string;
    readonly name: string;
    readonly state: 'running';
    readonly openedAt: string;
  }[];
}
