import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import {
  CHART_SIZES,
  CHART_THEMES,
  type ChartSize,
  type ChartTheme,
} from '../../application/ports/chart-renderer.js';

/** An id of an address in lower case; what is none is answered like an unknown one. */
export const projectId: PipeTransform<string, string> = {
  transform(value) {
    if (!isUuid(value)) throw notFound('Project');
    return value.toLowerCase();
  },
};

/** Number of a chart in an address; what is none is answered like an unknown one. */
export const chartId: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,14}$/.test(value)) throw notFound('Chart');
    return Number(value);
  },
};

/** A text of a query; one that was named twice counts as absent. */
export const optionalText: PipeTransform<unknown, string | null> = {
  transform(value) {
    return typeof value === 'string' && value !== '' ? value : null;
  },
};

/** A whole number of a query; absent and unreadable ones are null. */
export const optionalNumber: PipeTransform<unknown, number | null> = {
  transform(value) {
    return typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : null;
  },
};

/** One of a few words; anything else is the first of them. */
export const theme: PipeTransform<unknown, ChartTheme> = {
  transform: (value) => CHART_THEMES.find((known) => known === value) ?? CHART_THEMES[0],
};

export const size: PipeTransform<unknown, ChartSize> = {
  transform: (value) => CHART_SIZES.find((known) => known === value) ?? CHART_SIZES[0],
};
