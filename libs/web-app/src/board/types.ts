/** A colour that people choose for columns and types. */
export type Colour =
  | 'slate'
  | 'red'
  | 'orange'
  | 'amber'
  | 'lime'
  | 'green'
  | 'teal'
  | 'cyan'
  | 'blue'
  | 'indigo'
  | 'violet'
  | 'pink';

export type StateKind = 'stuck' | 'needs-you' | 'working' | 'waiting';

/** What a card needs now. */
export interface CardState {
  readonly kind: StateKind;
  readonly code: string;
  readonly since: string | null;
  /** Why, in one sentence. */
  readonly reason?: string;
  /** What ends it, in one sentence. */
  readonly clears?: string | null;
  readonly others?: readonly {
    readonly kind: StateKind;
    readonly code: string;
    readonly reason: string;
    readonly since: string | null;
  }[];
}

export interface Column {
  readonly columnId: string;
  readonly slug: string;
  readonly label: string;
  readonly colour: Colour;
  readonly terminal: boolean;
  readonly backlog: boolean;
  readonly revision: number;
  /** Cards in it, drawn or not. */
  readonly cards: number;
  readonly default: boolean;
}

export interface CardType {
  readonly key: string;
  readonly label: string;
  readonly colour: Colour;
  readonly children: boolean;
  readonly lane: boolean;
}

export type Chip = 'checks-failed' | 'conflict' | 'automation-blocked' | 'paused';

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A tile of the board or a row of a list: facts only, no body. */
export interface Tile {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly type: string;
  readonly columnId: string;
  /** Cards of a column stand in ascending order of this; the numbers have gaps. */
  readonly order: number;
  readonly reporter: 'human' | 'agent' | 'reviewer';
  readonly completedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Revision of the board at the last change of the card. */
  readonly revision: number;
  readonly parentCardId: string | null;
  readonly parentNumber: number | null;
  readonly parentTitle: string | null;
  readonly laneEnabled: boolean;
  readonly progress: Progress | null;
  readonly state: CardState | null;
  readonly held: boolean;
  readonly paused: boolean;
  readonly chips: readonly Chip[];
  readonly pullRequests: number;
  readonly documents: number;
  readonly feedbackPending: number;
  /** Numbers of the open cards that block it. */
  readonly blockedBy: readonly number[];
}

export type BoardTotals = Readonly<
  Record<'open' | 'backlog' | 'stuck' | 'needsYou' | 'working' | 'waiting', number>
>;

/** What `GET /board` answers. */
export interface BoardAnswer {
  readonly revision: number;
  readonly columnsRevision: number;
  readonly finishedWindowDays: number;
  readonly totals: BoardTotals;
  readonly types: readonly CardType[];
  readonly defaultType: string;
  readonly workflowOn: boolean;
  readonly columns: readonly (Column & { readonly total: number })[];
  readonly lanes: readonly (Partial<Tile> &
    Pick<Tile, 'cardId' | 'number' | 'title' | 'type' | 'columnId' | 'progress' | 'revision'> & {
      readonly cells: readonly { readonly columnId: string; readonly total: number }[];
    })[];
  readonly tiles: readonly Tile[];
}

export interface MoveAnswer {
  readonly tile: Tile;
  readonly fromColumnId: string;
  readonly toColumnId: string;
  readonly position: number;
  readonly revision: number;
  readonly columns: readonly { readonly columnId: string; readonly cards: number }[];
  readonly lanes: readonly { readonly cardId: string; readonly progress: Progress | null }[];
}

export interface TilePage {
  readonly revision: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly tiles: readonly Tile[];
}

export interface RowPage {
  readonly rows: readonly Tile[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly revision: number;
}

export interface CardRef {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
}

export type LinkKind = 'relates-to' | 'blocks' | 'blocked-by';

export interface PullRequest {
  readonly pullRequestId: string;
  readonly url: string;
  readonly forge: 'github' | 'other';
  readonly repository: string | null;
  readonly number: number | null;
  readonly addedAt: string;
  readonly state: PullRequestState | null;
}

export interface PullRequestState {
  readonly state: 'open' | 'merged' | 'closed';
  readonly draft: boolean;
  readonly checks: 'passed' | 'pending' | 'failed' | 'none';
  readonly failedChecks: readonly string[];
  readonly mergeability: 'mergeable' | 'conflicting' | 'behind' | 'blocked' | 'unknown';
  readonly review: 'approved' | 'approval-outdated' | 'changes-requested' | 'required' | 'none';
  readonly readyToMerge: boolean;
  readonly refreshedAt: string;
}

export type DocumentState = 'draft' | 'in-review' | 'approved' | 'changes-requested';

export interface FullCard {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** The body as sanitised HTML; null when it cannot be rendered. */
  readonly bodyHtml: string | null;
  readonly type: string;
  readonly columnId: string;
  readonly status: string;
  readonly position: number;
  readonly reporter: 'human' | 'agent' | 'reviewer';
  readonly source: {
    readonly kind: 'person' | 'widget' | 'run' | 'agent' | 'loupe';
    readonly runId: string | null;
    readonly runCardNumber: number | null;
  };
  readonly parentCardId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
  readonly createdBy: { readonly name: string } | null;
  readonly contentVersion: number;
  readonly revision: number;
  readonly state: CardState | null;
  readonly hold: { readonly since: string; readonly heldBy: string } | null;
  readonly pause: {
    readonly pauseId: string;
    readonly kind: string;
    readonly reason: string;
    readonly ruleId: string | null;
    readonly since: string;
  } | null;
  readonly sessions?: readonly {
    readonly runId: string;
    readonly name: string;
    readonly state: string;
    readonly openedAt: string;
  }[];
  readonly pullRequests: readonly PullRequest[];
  readonly documents: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly status: DocumentState;
  }[];
  readonly artifacts?: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly archived: boolean;
    readonly url: string;
  }[];
  readonly relatedCards: readonly (CardRef & { readonly kind: LinkKind })[];
  readonly parent: CardRef | null;
  readonly laneEnabled: boolean;
  readonly lane: boolean;
  readonly children: readonly CardRef[];
  readonly progress: Progress | null;
  readonly siteReviewComments: readonly unknown[];
}

export interface WriteAnswer {
  readonly card: FullCard;
  readonly tile: Tile;
  readonly revision: number;
}

export interface ColumnsAnswer {
  readonly columns: readonly Column[];
  readonly columnsRevision: number;
  readonly revision?: number;
}

interface HistoryPlace {
  readonly id: string;
  readonly slug: string;
  readonly label: string;
}

export interface HistoryEvent {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly actor: { readonly kind: 'human' | 'agent' | 'reviewer' | 'system'; readonly name: string | null };
  readonly from: HistoryPlace | null;
  readonly to: HistoryPlace | null;
  readonly cause: string | null;
  readonly pullRequest: { readonly url?: string; readonly number?: number | null } | null;
  readonly reason: string | null;
  readonly run: {
    readonly name?: string;
    readonly state?: string;
    readonly reason?: string | null;
  } | null;
  readonly pause: { readonly kind?: string; readonly reason?: string } | null;
  readonly fromParent: { readonly cardId: string; readonly number: number } | null;
  readonly toParent: { readonly cardId: string; readonly number: number } | null;
}

export interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  readonly page: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export interface CardSuggestion {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly type: string;
  readonly status: string;
  readonly terminal: boolean;
}

/** What a form sends for a card; only what changed. */
export interface CardFields {
  readonly title?: string;
  readonly body?: string;
  readonly type?: string;
  readonly columnId?: string;
  readonly fromColumnId?: string;
  readonly parentCardId?: string | null;
  readonly laneEnabled?: boolean;
  readonly pullRequestUrls?: readonly string[];
  readonly documentIds?: readonly string[];
  readonly relatedCards?: readonly { readonly cardId: string; readonly kind: LinkKind }[];
  readonly childDesign?: 'inherit' | 'own';
  readonly contentVersion?: number;
  readonly force?: boolean;
}
