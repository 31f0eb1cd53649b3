import type { TypedPayload } from '../../domain/payload.js';

/** `auto` follows what the reader's system prefers. */
export const CHART_THEMES = ['auto', 'light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];

/** A tile of the gallery, a page, and a page of a phone. */
export const CHART_SIZES = ['page', 'card', 'narrow'] as const;
export type ChartSize = (typeof CHART_SIZES)[number];

export interface ChartToDraw {
  /** Tells ids inside the picture apart when several stand in one page. */
  readonly id: number;
  readonly chart: TypedPayload;
  readonly title: string | null;
  /** Text alternative. */
  readonly description: string;
  readonly theme: ChartTheme;
  readonly size: ChartSize;
  /** Whether the title is drawn into the picture, for a file that stands alone. */
  readonly titled: boolean;
}

/** Draws a payload as SVG, all text of it escaped, with nothing in it that runs or loads. */
export abstract class ChartRenderer {
  abstract svg(chart: ChartToDraw): string;
}
