/* The routes of artifacts and charts (`docs/openapi.json`): one function a route, keys of the query cache, addresses of pages. */
import { api } from '../api/client';
import type {
  AgentAccess,
  ArtifactDetail,
  ArtifactPage,
  ArtifactType,
  CardRef,
  ChartDetail,
  ChartPage,
  Comparison,
  ConversationRow,
  DeletedArtifact,
  FileDiff,
  FileRow,
  LibraryFilters,
  Ticket,
  Usage,
  WorkspaceRow,
} from './shapes';

/** Artifacts on a page of the library. */
export const PER_PAGE = 30;

export const artifactKeys = {
  root: (projectId: string) => ['artifacts', projectId] as const,
  list: (projectId: string, filters: LibraryFilters) => ['artifacts', projectId, 'list', filters] as const,
  workspaces: (projectId: string) => ['artifacts', projectId, 'workspaces'] as const,
  usage: (projectId: string) => ['artifacts', projectId, 'usage'] as const,
  deleted: (projectId: string) => ['artifacts', projectId, 'deleted'] as const,
  one: (projectId: string, id: string) => ['artifacts', projectId, 'one', id] as const,
  version: (projectId: string, id: string, version: number | null) =>
    ['artifacts', projectId, 'one', id, version] as const,
  tree: (projectId: string, id: string, version: number) =>
    ['artifacts', projectId, 'tree', id, version] as const,
  ticket: (projectId: string, id: string, version: number | null) =>
    ['artifacts', projectId, 'ticket', id, version] as const,
  text: (projectId: string, id: string, version: number, path: string) =>
    ['artifacts', projectId, 'text', id, version, path] as const,
  comparison: (projectId: string, id: string, from: number, to: number) =>
    ['artifacts', projectId, 'compare', id, from, to] as const,
  diff: (projectId: string, id: string, from: number, to: number, path: string) =>
    ['artifacts', projectId, 'diff', id, from, to, path] as const,
  charts: (projectId: string, filters: object) => ['artifacts', projectId, 'charts', filters] as const,
  conversations: (projectId: string) => ['artifacts', projectId, 'conversations'] as const,
  chart: (projectId: string, id: number) => ['artifacts', projectId, 'chart', id] as const,
};

export interface Edit {
  readonly op: 'write';
  readonly path: string;
  readonly content: string;
}

export interface StoredVersion {
  readonly version: number;
  readonly revision: string;
  readonly unchanged?: boolean;
}

export function artifactsApi(projectId: string) {
  const root = `/projects/${projectId}/artifacts`;
  const of = (id: string) => `${root}/${encodeURIComponent(id)}`;
  const charts = `/projects/${projectId}/charts`;
  return {
    list: ({ sort, page, archived, ...filters }: LibraryFilters, signal?: AbortSignal) =>
      api.get<ArtifactPage>(root, {
        query: {
          ...filters,
          archived: archived ? 'true' : null,
          sort,
          page: page > 1 ? page : null,
          perPage: PER_PAGE,
        },
        signal,
      }),
    get: (id: string, version: number | null, signal?: AbortSignal) =>
      api.get<ArtifactDetail>(of(id), { query: { version }, signal }),
    tree: async (id: string, version: number, signal?: AbortSignal) =>
      (await api.get<{ files: FileRow[] }>(`${of(id)}/tree`, { query: { version }, signal })).files,
    deleted: async (signal?: AbortSignal) =>
      (await api.get<{ artifacts: DeletedArtifact[] }>(`${root}/deleted`, { signal })).artifacts,
    createEmpty: (
      body: { name: string; artifactType: ArtifactType; framework?: string; workspaceId: string },
      requestId: string,
    ) => api.post<{ artifactId: string }>(root, { type: 'empty', ...body }, { requestId }),
    createFromUpload: (
      body: { name: string; artifactType: ArtifactType; zipUploadId: string; workspaceId: string },
      requestId: string,
    ) =>
      api.post<{ artifactId: string; skippedFiles?: { path: string }[] }>(
        root,
        { type: 'import', ...body },
        { requestId },
      ),
    reserveUpload: (purpose: 'source' | 'asset') =>
      api.post<{ zipUploadId: string; uploadUrl: string; maxBytes: number }>(`${root}/uploads`, { purpose }),
    change: (
      id: string,
      body: { name?: string; description?: string; privacy?: string; workspaceId?: string; version: number },
    ) => api.patch<ArtifactDetail>(of(id), body),
    archive: (id: string) => api.post(`${of(id)}/archive`, {}),
    unarchive: (id: string) => api.post(`${of(id)}/unarchive`, {}),
    duplicate: (id: string, workspaceId: string) =>
      api.post<{ artifactId: string; name: string }>(`${of(id)}/duplicate`, { workspaceId }),
    remove: (id: string) => api.delete(of(id)),
    undelete: (id: string) => api.post(`${of(id)}/undelete`, {}),
    setCards: (id: string, cardNumbers: readonly number[]) =>
      api.put<{ cards: CardRef[] }>(`${of(id)}/cards`, { cardNumbers }),
    edit: (id: string, body: { baseRevision: string; commitMessage: string; changes: readonly Edit[] }) =>
      api.post<StoredVersion>(`${of(id)}/edits`, body),
    restore: (id: string, version: number) =>
      api.post<StoredVersion>(`${of(id)}/versions/${version}/restore`, {}),
    gitToken: (id: string) =>
      api.post<{ gitRemoteUrl: string; access: 'ro' | 'rw'; expiresAt: string }>(`${of(id)}/git-token`, {}),
    publish: (id: string, version?: number) =>
      api.post<{ liveUrl: string; version: number }>(`${of(id)}/publish`, version ? { version } : {}),
    unpublish: (id: string) => api.post(`${of(id)}/unpublish`, {}),
    cancelGeneration: (id: string) => api.post(`${of(id)}/generation/cancel`, {}),
    retryGeneration: (id: string) => api.post(`${of(id)}/generation/retry`, {}),
    ticket: (id: string, version: number | null, signal?: AbortSignal) =>
      api.get<Ticket>(`${of(id)}/preview-ticket`, { query: { version }, signal }),
    compare: (id: string, from: number, to: number, signal?: AbortSignal) =>
      api.get<Comparison>(`${of(id)}/compare`, { query: { from, to }, signal }),
    diff: (id: string, from: number, to: number, path: string, signal?: AbortSignal) =>
      api.get<FileDiff>(`${of(id)}/diff`, { query: { from, to, path }, signal }),
    /** Address of the bytes of a file; with `download` the browser stores it. */
    fileAddress: (id: string, version: number, path: string, download = false) =>
      `/api${of(id)}/files/${version}?path=${encodeURIComponent(path)}${download ? '&raw=1' : ''}`,
    zipAddress: (id: string, version: number) => `/api${of(id)}/versions/${version}.zip`,
    text: async (id: string, version: number, path: string, signal?: AbortSignal) => {
      const answer = await fetch(`/api${of(id)}/files/${version}?path=${encodeURIComponent(path)}`, {
        signal,
      });
      if (!answer.ok) throw new Error(`The file was not read (${answer.status}).`);
      return answer.text();
    },
    workspaces: async (signal?: AbortSignal) =>
      (await api.get<{ workspaces: WorkspaceRow[] }>(`${root}/workspaces`, { signal })).workspaces,
    createWorkspace: (body: { name: string; agentAccess: AgentAccess }) =>
      api.post<WorkspaceRow>(`${root}/workspaces`, body),
    changeWorkspace: (id: string, body: { name?: string; agentAccess?: AgentAccess }) =>
      api.patch<WorkspaceRow>(`${root}/workspaces/${id}`, body),
    archiveWorkspace: (id: string) => api.post(`${root}/workspaces/${id}/archive`, {}),
    unarchiveWorkspace: (id: string) => api.post(`${root}/workspaces/${id}/unarchive`, {}),
    usage: (signal?: AbortSignal) => api.get<Usage>(`${root}/usage`, { signal }),
    previewHosts: (signal?: AbortSignal) =>
      api.get<{ origins: string[] }>(`${root}/preview-hosts`, { signal }),
    setPreviewHosts: (origins: readonly string[]) =>
      api.put<{ origins: string[] }>(`${root}/preview-hosts`, { origins }),
    charts: (filters: { type: string; thread: string; q: string; page: number }, signal?: AbortSignal) =>
      api.get<ChartPage>(charts, {
        query: { ...filters, page: filters.page > 1 ? filters.page : null },
        signal,
      }),
    conversations: async (signal?: AbortSignal) =>
      (await api.get<{ threads: ConversationRow[] }>(`${charts}/threads`, { signal })).threads,
    chart: (id: number, signal?: AbortSignal) => api.get<ChartDetail>(`${charts}/${id}`, { signal }),
    removeChart: (id: number) => api.delete(`${charts}/${id}`),
    pictureAddress: (id: number, options: { theme: 'light' | 'dark'; size: 'card' | 'page' | 'narrow' }) =>
      `/api${charts}/${id}.svg?theme=${options.theme}&size=${options.size}`,
    chartFile: (id: number, kind: 'svg' | 'csv') =>
      kind === 'svg' ? `/api${charts}/${id}.svg?theme=light&download=1` : `/api${charts}/${id}.csv`,
  };
}

/** Pages of artifacts and charts, as the router knows them. */
export function artifactPaths(projectId: string, id = '') {
  const list = `/projects/${projectId}/artifacts`;
  const one = `${list}/${id}`;
  return {
    list,
    charts: `${list}/charts`,
    chart: (chartId: number) => `${list}/charts/${chartId}`,
    settings: `${list}/settings`,
    one,
    version: (version: number) => `${one}?version=${version}`,
    playground: `${one}/playground`,
    compare: (from: number, to: number) => `${one}/compare?from=${from}&to=${to}`,
    /** Outside the app: the preview by itself. */
    preview: (version?: number) => `/artifacts/${id}/preview${version ? `?version=${version}` : ''}`,
  };
}
