/* The documents API (`docs/api`): shapes, and one function a route. */
import { api } from '../api/client';
import type { DocumentStatus } from '../api/types';

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

const base = (projectId: string) => `/projects/${projectId}/documents`;

/** Keys of the query cache: everything of a project's documents lies under one root. */
export const documentKeys = {
  root: (projectId: string) => ['documents', projectId] as const,
  list: (projectId: string, filters: ListFilters) => ['documents', projectId, 'list', filters] as const,
  document: (projectId: string, id: string) => ['documents', projectId, id] as const,
  detail: (projectId: string, id: string) => ['documents', projectId, id, 'detail'] as const,
  review: (projectId: string, id: string, version: number | null) =>
    ['documents', projectId, id, 'review', version] as const,
  versions: (projectId: string, id: string) => ['documents', projectId, id, 'versions'] as const,
  deleted: (projectId: string, id: string) => ['documents', projectId, id, 'deleted'] as const,
  diff: (projectId: string, id: string, from: number, to: number, view: DiffView) =>
    ['documents', projectId, id, 'diff', from, to, view] as const,
};

/** The routes of one project's documents. */
export function documentsApi(projectId: string) {
  const root = base(projectId);
  const of = (id: string) => `${root}/${encodeURIComponent(id)}`;
  const thread = (id: string, cid: string) => `${of(id)}/comments/${encodeURIComponent(cid)}`;
  return {
    list: (filters: ListFilters, signal?: AbortSignal) =>
      api.get<DocumentPage>(root, {
        query: { ...filters, page: filters.page > 1 ? filters.page : null },
        signal,
      }),
    create: (body: {
      title: string;
      markdown: string;
      description?: string;
      tags?: readonly string[];
      language?: string;
      draft: boolean;
    }) => api.post<{ id: string; version: number; status: DocumentStatus; warnings: Warning[] }>(root, body),
    preview: (markdown: string, signal?: AbortSignal) =>
      api.post<{ html: string; warnings: Warning[] }>(`${root}/preview`, { markdown }, { signal }),
    get: (id: string, signal?: AbortSignal) => api.get<DocumentDetail>(of(id), { signal }),
    review: (id: string, version: number | null, signal?: AbortSignal) =>
      api.get<Review>(`${of(id)}/review`, { query: { version }, signal }),
    versions: async (id: string, signal?: AbortSignal) =>
      (await api.get<{ versions: VersionRow[] }>(`${of(id)}/versions`, { signal })).versions,
    diff: (id: string, from: number, to: number, view: DiffView, signal?: AbortSignal) =>
      api.get<Diff>(`${of(id)}/diff`, { query: { from, to, view }, signal }),
    revise: (
      id: string,
      body: { title?: string; markdown: string; description: string; baseVersion: number },
    ) => api.post<RevisionResult>(`${of(id)}/versions`, body),
    publish: (id: string) => api.post(`${of(id)}/publish`, {}),
    archive: (id: string, reason: string) => api.post(`${of(id)}/archive`, { reason }),
    unarchive: (id: string) => api.post(`${of(id)}/unarchive`, {}),
    change: (
      id: string,
      body: {
        title?: string;
        tags?: readonly string[];
        references?: readonly string[];
        series?: string | null;
        seriesOrdinal?: number | null;
      },
    ) => api.patch<DocumentDetail>(of(id), body),
    read: (id: string, version: number) => api.post(`${of(id)}/read`, { version }),
    comment: (
      id: string,
      body: {
        version: number;
        anchor?: { quote: string; start: number };
        body: string;
        replacement?: string;
      },
      requestId: string,
    ) => api.post<Thread & { version?: number }>(`${of(id)}/comments`, body, { requestId }),
    reply: (id: string, cid: string, body: string, requestId: string) =>
      api.post<Reply>(`${thread(id, cid)}/replies`, { body }, { requestId }),
    edit: (id: string, cid: string, body: string) => api.patch<Thread>(thread(id, cid), { body }),
    resolve: (id: string, cid: string) => api.post<Thread>(`${thread(id, cid)}/resolve`, {}),
    reopen: (id: string, cid: string) => api.post<Thread>(`${thread(id, cid)}/reopen`, {}),
    remove: (id: string, cid: string) => api.post<Thread>(`${thread(id, cid)}/delete`, {}),
    currentThread: (id: string, cid: string, signal?: AbortSignal) =>
      api.get<Thread & { readonly version: number }>(thread(id, cid), { signal }),
    restore: (id: string, cid: string) => api.post<Thread>(`${thread(id, cid)}/restore`, {}),
    purge: (id: string, cid: string) => api.post(`${thread(id, cid)}/purge`, {}),
    reattach: (id: string, cid: string, version: number, anchor: { quote: string; start: number }) =>
      api.put<Thread>(`${thread(id, cid)}/anchor`, { version, anchor }),
    deleted: async (id: string, signal?: AbortSignal) =>
      (await api.get<{ threads: Thread[] }>(`${of(id)}/deleted-threads`, { signal })).threads,
    decide: (
      id: string,
      decisionId: string,
      body: { version: number; indexes: number[]; labels: string[]; note?: string | null },
    ) => api.put<Decision>(`${of(id)}/decisions/${encodeURIComponent(decisionId)}`, body),
    approveSection: (id: string, headingId: string, version: number, approved: boolean) =>
      api.put<Section>(`${of(id)}/sections/${encodeURIComponent(headingId)}`, { version, approved }),
    verdict: (
      id: string,
      body: { version: number; verdict: VerdictKind; note?: string; previousVerdictId?: string | null },
    ) => api.post<Verdict>(`${of(id)}/verdicts`, body),
    withdraw: (id: string, verdictId: string) =>
      api.post(`${of(id)}/verdicts/${encodeURIComponent(verdictId)}/withdraw`, {}),
    downloadAddress: (id: string, version: number) => `/api${of(id)}/versions/${version}.md`,
    searchLanguages: async (signal?: AbortSignal) =>
      (await api.get<{ languages: string[] }>('/search-languages', { signal })).languages,
  };
}

export type DocumentsApi = ReturnType<typeof documentsApi>;

/** Pages of a document, as the router knows them. */
export function documentPaths(projectId: string, id = '') {
  const list = `/projects/${projectId}/documents`;
  const one = `${list}/${id}`;
  return {
    list,
    create: `${list}/new`,
    review: `${one}/review`,
    revise: `${one}/revise`,
    history: `${one}/review/history`,
    deleted: `${one}/review/deleted`,
    version: (number: number) => `${one}/review/versions/${number}`,
    diff: (from: number, to: number, view?: DiffView) =>
      `${one}/review/diff/${from}/${to}${view && view !== 'rendered' ? `?view=${view}` : ''}`,
  };
}
