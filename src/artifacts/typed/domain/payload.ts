/** Payloads of typed artifacts, as `payload-schemas.ts` lets them in. */
export const TYPED_ARTIFACT_TYPES = [
  'line_chart',
  'area_chart',
  'bar_chart',
  'scatter_chart',
  'pie_chart',
  'table',
  'stat',
] as const;

export type TypedArtifactType = (typeof TYPED_ARTIFACT_TYPES)[number];

export function isTypedArtifactType(value: unknown): value is TypedArtifactType {
  return TYPED_ARTIFACT_TYPES.includes(value as TypedArtifactType);
}

export interface XAxis {
  readonly label?: string;
  readonly type?: 'category' | 'time' | 'number';
}

export interface YAxis {
  readonly label?: string;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
}

export interface Point {
  readonly x: string | number;
  /** Null is a gap. */
  readonly y: number | null;
  /** Points of scatter charts only. */
  readonly label?: string;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Charts with axes. */
export interface SeriesPayload {
  readonly series: readonly Series[];
  readonly x?: XAxis;
  readonly y?: YAxis;
  readonly note?: string;
  readonly stacked?: boolean;
  readonly orientation?: 'vertical' | 'horizontal';
}

export interface PiePayload {
  readonly slices: readonly { readonly label: string; readonly value: number }[];
  readonly unit?: string;
  readonly donut?: boolean;
}

export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'url';
export type Align = 'left' | 'right' | 'center';
export type Cell = string | number | boolean | null;

export interface TableColumn {
  readonly key: string;
  readonly label: string;
  readonly type?: ColumnType;
  readonly align?: Align;
}

export interface TablePayload {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly note?: string;
}

export interface StatItem {
  readonly label: string;
  readonly value: string | number;
  readonly unit?: string;
  readonly delta?: string | number;
  readonly direction?: 'up' | 'down' | 'flat';
}

export interface StatPayload {
  readonly items: readonly StatItem[];
  readonly note?: string;
}

/** A type with its payload, told apart by the type. */
export type TypedPayload =
  | {
      readonly type: 'line_chart' | 'area_chart' | 'bar_chart' | 'scatter_chart';
      readonly payload: SeriesPayload;
    }
  | { readonly type: 'pie_chart'; readonly payload: PiePayload }
  | { readonly type: 'table'; readonly payload: TablePayload }
  | { readonly type: 'stat'; readonly payload: StatPayload };
