import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import {
  CHART_SIZES,
  CHART_THEMES,
  type ChartSize,
  type ChartTheme,
} from '../../application/ports/chart-renderer.js';

/** Number of a chart in an address; what is none is answered like an unknown one. */
export const chartId: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,14}$/.test(value)) throw notFound('Chart');
    return Number(value);
  },
};

/** One of a few words; anything else is the first of them. */
export const theme: PipeTransform<unknown, ChartTheme> = {
  transform: (value) => CHART_THEMES.find((known) => known === value) ?? CHART_THEMES[0],
};

export const size: PipeTransform<unknown, ChartSize> = {
  transform: (value) => CHART_SIZES.find((known) => known === value) ?? CHART_SIZES[0],
};
