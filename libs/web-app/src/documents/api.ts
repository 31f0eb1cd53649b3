/* The documents API (`docs/openapi.json`): one function a route, keys of the query cache, addresses of pages. */
import { api } from '../api/client';
import type {
  Decision,
  Diff,
  DiffView,
  DocumentDetail,
  DocumentPage,
  DocumentStatus,
  ListFilters,
  Reply,
  Review,
  RevisionResult,
  Section,
  Thread,
  Verdict,
  VerdictKind,
  VersionRow,
  Warning,
} from './shapes';

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
