/* What the routes of artifacts answer (`docs/openapi.json`). */

export type ArtifactType = 'app' | 'markdown' | 'asset';
export type ArtifactStatus = 'generating' | 'ready' | 'failed';
export type AgentAccess = 'write' | 'read' | 'none';

export interface ArtifactRow {
  readonly artifactId: string;
  readonly name: string;
  readonly description: string;
  readonly artifactType: ArtifactType;
  readonly framework: 'html' | 'react' | null;
  readonly origin: 'push' | 'empty' | 'import' | 'p2c' | 'l2c' | 'f2c' | 'duplicate';
  readonly status: ArtifactStatus;
  readonly latestVersion: number | null;
  readonly revision: string | null;
  readonly fileCount: number | null;
  readonly totalBytes: number | null;
  readonly workspaceId: string;
  readonly privacy: 'private' | 'public';
  readonly published: boolean;
  readonly archived: boolean;
  readonly archivedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
  readonly workspaceName: string;
  readonly createdBy: { readonly kind: 'person' | 'agent' | 'worker'; readonly displayName: string };
  /** Of the latest version. */
  readonly entryPath: string | null;
  readonly cards: readonly CardRef[];
}

export interface CardRef {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
}

export interface ArtifactPage {
  readonly artifacts: readonly ArtifactRow[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface VersionRow {
  readonly version: number;
  readonly revision: string | null;
  readonly notes: string;
  readonly source: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly entryPath: string | null;
  readonly skippedCount: number;
  readonly createdAt: string;
  /** Name of the person, or of the one whom the agent works for. */
  readonly createdBy: string;
  readonly createdByKind: 'person' | 'agent' | 'worker';
}

export interface FileRow {
  readonly path: string;
  readonly contentType: string;
  readonly kind: 'text' | 'image' | 'binary';
  readonly bytes: number;
  readonly sha256: string;
  readonly page: boolean;
}

export interface GenerationJob {
  readonly jobId: string;
  readonly type: 'p2c' | 'l2c' | 'f2c';
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly generator: string | null;
  readonly progress: number;
  readonly error: string | null;
  readonly notes: readonly string[];
}

export interface ArtifactDetail extends ArtifactRow {
  /** Raised by each change of the row; edits name the one they saw. */
  readonly edit: number;
  readonly error: string | null;
  /** Null for assets. */
  readonly previewUrl: string | null;
  /** Apps only. */
  readonly playgroundUrl: string | null;
  readonly liveUrl: string | null;
  /** Why an admin took the published app down. */
  readonly takenDown: string | null;
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  readonly version: {
    readonly version: number;
    readonly revision: string | null;
    readonly entryPath: string | null;
    readonly files: readonly FileRow[];
    readonly filesTruncated: boolean;
    readonly skippedFiles: readonly SkippedFile[];
    readonly skippedCount: number;
  } | null;
  readonly can: { readonly write: boolean; readonly administer: boolean };
  readonly gitEnabled: boolean;
  readonly publishEnabled: boolean;
  readonly publicLinksEnabled: boolean;
  readonly job?: GenerationJob | null;
}

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly isGeneral: boolean;
  readonly agentAccess: AgentAccess;
  readonly archived: boolean;
  readonly artifactCount: number;
}

export interface Usage {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly artifacts: number;
  readonly maxArtifacts: number;
  readonly workspaces: readonly {
    readonly workspaceId: string;
    readonly name: string;
    readonly artifacts: number;
    readonly bytes: number;
  }[];
  readonly largest: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly totalBytes: number;
  }[];
}

export interface DeletedArtifact {
  readonly artifactId: string;
  readonly name: string;
  readonly artifactType: ArtifactType;
  readonly deletedAt: string;
  readonly purgeAt: string;
}

export interface LibraryFilters {
  readonly search: string;
  readonly workspaceId: string;
  readonly artifactType: string;
  readonly origin: string;
  readonly sort: 'changed' | 'newest';
  readonly archived: boolean;
  readonly page: number;
}

export type FileChange = 'added' | 'removed' | 'changed' | 'same';

export interface ComparedFile {
  readonly path: string;
  readonly change: FileChange;
  readonly from: FileRow | null;
  readonly to: FileRow | null;
}

export interface Comparison {
  readonly from: VersionRow;
  readonly to: VersionRow;
  readonly counts: Readonly<Record<FileChange, number>>;
  readonly files: readonly ComparedFile[];
}

export type LineOp = ' ' | '-' | '+';

export interface DiffLine {
  readonly op: LineOp;
  readonly text: string;
  /** Parts of a line that has a partner: what is the same and what differs. */
  readonly words?: readonly { readonly op: LineOp; readonly text: string }[];
}

export interface Hunk {
  readonly fromLine: number;
  readonly toLine: number;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly from: FileRow | null;
  readonly to: FileRow | null;
  readonly change: FileChange;
  /** `too-large`: over 1 MiB or 20,000 lines, shown without a comparison. */
  readonly kind: FileRow['kind'] | 'too-large';
  readonly hunks: readonly Hunk[];
}

export interface Ticket {
  /** Ends with a slash; paths of files follow it. */
  readonly baseUrl: string;
  readonly frameUrl: string;
  readonly expiresAt: string;
  /** What the frame may do, for its `sandbox`. */
  readonly sandbox: string;
}

export interface ConversationRow {
  readonly id: string;
  readonly client: string | null;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly count: number;
}

export type ChartType =
  | 'line_chart'
  | 'area_chart'
  | 'bar_chart'
  | 'scatter_chart'
  | 'pie_chart'
  | 'table'
  | 'stat';

export interface ChartRow {
  readonly id: number;
  readonly type: ChartType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  readonly createdAt: string;
  readonly threadId: string;
  readonly pictureUrl: string;
}

export interface ChartPage {
  readonly charts: readonly ChartRow[];
  readonly threads: readonly ConversationRow[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export interface ChartColumn {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'url';
  readonly align: 'left' | 'right' | 'center';
}

type Cell = string | number | boolean | null;

export interface ChartDetail extends ChartRow {
  readonly createdBy: { readonly id: string | null; readonly displayName: string };
  readonly thread: ConversationRow;
  readonly summary: string;
  readonly drawable: boolean;
  readonly payload: unknown;
  readonly data: {
    readonly columns: readonly ChartColumn[];
    readonly rows: readonly Readonly<Record<string, Cell>>[];
    readonly note: string | null;
  };
  readonly previous: number | null;
  readonly next: number | null;
  readonly canDelete: boolean;
}
