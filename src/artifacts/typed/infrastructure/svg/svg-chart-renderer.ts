import { Injectable } from '@nestjs/common';
import { ChartRenderer, type ChartToDraw } from '../../application/ports/chart-renderer.js';
import { chartData, isDrawable } from '../../domain/chart-data.js';
import type { TypedPayload } from '../../domain/payload.js';
import { drawBars } from './bars.js';
import { CANVASES, type Canvas, type Drawing } from './canvas.js';
import { hatchPatterns } from './legend.js';
import { drawLines } from './lines.js';
import { element, escaped, group, textAt } from './markup.js';
import { wrapped } from './measure.js';
import { styleSheet } from './palette.js';
import { drawPie } from './pie.js';
import { drawScatter } from './scatter.js';
import { drawStat } from './stat.js';
import { drawTable } from './table.js';

const MARGIN = 4;

/** Space round a picture that stands alone. */
const ALONE = 28;

/** Draws pictures with nothing but shapes, text and a style sheet in them. */
@Injectable()
export class SvgChartRenderer extends ChartRenderer {
  override svg(chart: ChartToDraw): string {
    const id = `loupe-chart-${chart.id}`;
    const canvas = CANVASES[chart.size];
    const { markup, height } = drawing(chart.chart, canvas, id);
    const margin = chart.titled ? ALONE : MARGIN;
    const heading = chart.titled && chart.title ? headingOf(chart.title, canvas) : null;
    const top = margin + (heading?.height ?? 0);
    const size = { width: canvas.width + margin * 2, height: Math.ceil(height) + top + margin };
    return element(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        viewBox: `0 0 ${size.width} ${size.height}`,
        ...size,
        role: 'img',
        'aria-labelledby': `${id}-title ${id}-desc`,
      },
      [
        element('title', { id: `${id}-title` }, escaped(chart.title ?? nameOf(chart.chart.type))),
        element('desc', { id: `${id}-desc` }, escaped(chart.description)),
        `<style>${styleSheet(chart.theme)}</style>`,
        element('defs', {}, hatchPatterns(`${id}-hatch`)),
        chart.titled ? element('rect', { class: 'lc-plane', ...size }) : '',
        group({ transform: `translate(${margin} ${margin})` }, heading ? [heading.markup] : []),
        group({ transform: `translate(${margin} ${top})` }, [markup]),
      ],
    );
  }
}

function drawing(typed: TypedPayload, canvas: Canvas, id: string): Drawing {
  if (!isDrawable(typed)) return drawTable(chartData(typed), canvas);
  switch (typed.type) {
    case 'table':
      return drawTable(chartData(typed), canvas);
    case 'stat':
      return drawStat(typed.payload, canvas);
    case 'pie_chart':
      return drawPie(typed.payload, canvas);
    case 'scatter_chart':
      return drawScatter(typed.payload, canvas, id);
    case 'bar_chart':
      return drawBars(typed.payload, canvas, id);
    default:
      return drawLines(typed.payload, typed.type === 'area_chart', canvas, id);
  }
}

function headingOf(title: string, { width, font }: Canvas): Drawing {
  const size = Math.round(font * 1.5);
  // Measured as larger letters than they are: bold ones are wider.
  const lines = wrapped(title, width, size * 1.16, 2);
  return {
    markup: lines
      .map((line, index) =>
        textAt(0, size + index * size * 1.25, line, {
          class: 'lc-text',
          size,
          weight: 600,
        }),
      )
      .join(''),
    height: lines.length * size * 1.25 + 14,
  };
}

/** A picture without a title is called by its kind. */
function nameOf(type: TypedPayload['type']): string {
  const words = type.replace('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
