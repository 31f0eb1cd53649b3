/* What the documents API answers and takes (`docs/openapi.json`). Times are ISO strings. */

export type DocumentStatus = 'draft' | 'in-review' | 'approved' | 'changes-requested';

export type ThreadStatus = 'pending' | 'addressed' | 'resolved';

export interface Author {
  readonly kind: 'agent' | 'person';
  readonly personId?: string | null;
  readonly name: string | null;
}

export interface DocumentRow {
  readonly id: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly version: number;
  readonly archived: boolean;
  readonly archiveReason: string | null;
  readonly updatedAt: string;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
  readonly versionDescription: string | null;
  readonly author: 'agent' | 'person';
  readonly waitingThreads: number;
  readonly openThreads: number;
}

export interface DocumentPage {
  readonly documents: readonly DocumentRow[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
  /** Documents of the whole project with a thread that waits for a reader. */
  readonly waitingDocuments: number;
  /** What a search for a phrase left out. */
  readonly note?: string;
  readonly tags: readonly { readonly name: string; readonly documentCount: number }[];
  readonly series: readonly {
    readonly id: string;
    readonly name: string;
    readonly documentCount: number;
    readonly highestOrdinal: number | null;
  }[];
}

export interface Reference {
  readonly documentId: string;
  readonly title: string;
  readonly archived: boolean;
}

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

export interface Warning {
  readonly code: string;
  readonly decisionId?: string | null;
  readonly message: string;
}

export interface DocumentDetail {
  readonly id: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly archived: boolean;
  readonly archiveReason: string | null;
  readonly version: number;
  readonly versionDescription: string | null;
  readonly language: string;
  readonly markdown: string;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
  readonly references: readonly Reference[];
}

export interface Reply {
  readonly id: string;
  readonly bodyHtml: string;
  readonly body: string;
  readonly author: Author;
  readonly createdAt: string;
}

export interface Thread {
  readonly id: string;
  readonly status: ThreadStatus;
  readonly orphaned: boolean;
  readonly moved: boolean;
  readonly anchor: { readonly quote: string; readonly start: number; readonly end: number } | null;
  readonly replacement: string | null;
  readonly bodyHtml: string;
  readonly body: string;
  readonly author: Author;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly mayEdit: boolean;
  readonly replies: readonly Reply[];
}

export type VerdictKind = 'approved' | 'changes-requested';

export interface Verdict {
  readonly id: string;
  readonly verdict: VerdictKind;
  readonly note: string | null;
  readonly noteHtml: string | null;
  readonly reviewer: { readonly personId: string | null; readonly name: string };
  readonly submittedAt: string;
  readonly yours: boolean;
  readonly withdrawnAt?: string | null;
}

export interface Decision {
  readonly id: string;
  readonly type: 'single' | 'multiple';
  readonly question: string;
  readonly options: readonly {
    readonly label: string;
    readonly recommended: 'high' | 'moderate' | 'low' | null;
  }[];
  readonly selections: readonly {
    readonly label: string;
    readonly index: number | null;
    readonly answeredAt: string;
    readonly answeredAtVersion: number;
  }[];
  readonly note: string | null;
  readonly updatedAt: string | null;
  readonly updatedBy: string | null;
}

export interface Section {
  readonly headingId: string;
  readonly title: string;
  readonly level: number;
  readonly approvals: number;
  readonly approvedByYou: boolean;
}

export interface AgentFinding {
  readonly findingId: string;
  readonly title: string;
  readonly bodyHtml: string;
  readonly section: string | null;
  readonly needsPerson: boolean;
  readonly answer: 'fixed' | 'not-changed' | 'to-owner' | null;
  readonly reason: string | null;
}

export interface AgentReview {
  readonly reviewId: string;
  readonly cardNumber: number | null;
  readonly version: number;
  readonly current: boolean;
  readonly outcome: 'passed' | 'failed';
  readonly summary: string | null;
  readonly submittedAt: string;
  readonly answeredAt: string | null;
  readonly findings: readonly AgentFinding[];
}

export interface Review {
  readonly document: {
    readonly id: string;
    readonly projectId: string;
    readonly title: string;
    readonly status: DocumentStatus;
    readonly archived: boolean;
    readonly archiveReason: string | null;
    readonly currentVersion: number;
    readonly language: string;
    readonly tags: readonly string[];
    readonly series: string | null;
    readonly seriesOrdinal: number | null;
    readonly references: readonly Reference[];
    readonly referencedBy: readonly Reference[];
  };
  readonly version: {
    readonly number: number;
    readonly description: string | null;
    readonly author: Author;
    readonly createdAt: string;
    readonly html: string;
    readonly plainText: string;
    readonly carried: number;
    readonly orphaned: number;
    readonly isCurrent: boolean;
  };
  readonly outline: readonly Heading[];
  readonly threads: readonly Thread[];
  readonly decisions: readonly Decision[];
  readonly sections: readonly Section[];
  readonly verdict: Verdict | null;
  readonly lastSeenVersion: number | null;
  readonly counts: {
    readonly pending: number;
    readonly addressed: number;
    readonly resolved: number;
    readonly orphaned: number;
  };
  readonly agentReviews: readonly AgentReview[];
  /** Passages to which an agent draws the eye; empty while the flag is off. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
  readonly mayContribute: boolean;
  readonly reviewRevision: string;
}

export interface VersionRow {
  readonly number: number;
  readonly createdAt: string;
  readonly author: Author;
  readonly description: string | null;
  readonly carried: number;
  readonly orphaned: number;
  readonly verdicts: readonly Verdict[];
}

export type DiffView = 'rendered' | 'side-by-side' | 'markdown';

export interface Diff {
  readonly from: number;
  readonly to: number;
  readonly view: DiffView;
  readonly changes: number;
  readonly html?: string | null;
  readonly rows?:
    | readonly { readonly left: string | null; readonly right: string | null; readonly changed: boolean }[]
    | null;
  readonly lines?:
    | readonly {
        readonly kind: 'same' | 'added' | 'removed';
        readonly text: string;
        readonly left: number | null;
        readonly right: number | null;
      }[]
    | null;
  readonly descriptions: readonly { readonly version: number; readonly description: string | null }[];
}

export interface ListFilters {
  readonly q: string;
  readonly status: string;
  readonly tag: string;
  readonly series: string;
  readonly archived: boolean;
  /** Only documents with a thread that waits for a reader. */
  readonly waiting: boolean;
  readonly page: number;
}

export interface RevisionResult {
  readonly version: number;
  readonly status: DocumentStatus;
  readonly carried: number;
  readonly orphaned: number;
  readonly sectionsCarried: number;
  readonly sectionsDropped: number;
  readonly warnings: readonly Warning[];
}
