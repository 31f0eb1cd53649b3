import type { ChartSize } from '../../application/ports/chart-renderer.js';

/** How large a picture is, and how much it says. Lengths in pixels of the picture. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Letters of axes and legends. */
  readonly font: number;
  /** Rows that a legend may take. */
  readonly legendRows: number;
  /** Longest name in a legend. */
  readonly nameWidth: number;
  /** Marks on an axis of numbers. */
  readonly ticks: number;
  /** Small pictures leave out axis titles, notes and figures on marks. */
  readonly small: boolean;
}

export const CANVASES: Readonly<Record<ChartSize, Canvas>> = {
  page: { width: 960, height: 520, font: 13, legendRows: 5, nameWidth: 240, ticks: 6, small: false },
  narrow: { width: 440, height: 460, font: 15, legendRows: 6, nameWidth: 190, ticks: 5, small: false },
  card: { width: 440, height: 264, font: 14, legendRows: 2, nameWidth: 150, ticks: 4, small: true },
};

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function widthOf(box: Box): number {
  return Math.max(0, box.right - box.left);
}

export function heightOf(box: Box): number {
  return Math.max(0, box.bottom - box.top);
}

/** A finished part of a picture, and the height that the picture needs for it. */
export interface Drawing {
  readonly markup: string;
  readonly height: number;
}
