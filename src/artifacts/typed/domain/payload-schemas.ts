import {
  CELL_LENGTH,
  CHART_POINTS,
  COLUMNS_MAX,
  ROWS_MAX,
  SERIES_MAX,
  SLICES_MAX,
  STAT_ITEMS_MAX,
  STRING_LENGTH,
} from './limits.js';
import type { TypedArtifactType } from './payload.js';

/** A JSON Schema of revision 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const string = { type: 'string', maxLength: STRING_LENGTH };
const name = { ...string, minLength: 1 };
const number = { type: 'number' };
const boolean = { type: 'boolean' };

/** Keys that are not named are refused. A key that ends in `?` may be left out. */
function object(keys: Readonly<Record<string, JsonSchema>>, extra: JsonSchema = {}): JsonSchema {
  const named = Object.entries(keys).map(([key, schema]) => [key.replace('?', ''), schema] as const);
  const required = Object.keys(keys).filter((key) => !key.endsWith('?'));
  return {
    type: 'object',
    ...extra,
    properties: Object.fromEntries(named),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function list(items: JsonSchema, maxItems: number, minItems = 1): JsonSchema {
  return { type: 'array', items, minItems, maxItems };
}

const axes = {
  'x?': object({ 'label?': string, 'type?': { enum: ['category', 'time', 'number'] } }),
  'y?': object({ 'label?': string, 'unit?': string, 'min?': number, 'max?': number }),
  'note?': string,
};

function series(point: JsonSchema): JsonSchema {
  return list(object({ name, points: list(point, CHART_POINTS, 0) }), SERIES_MAX);
}

const measured = series(
  object({
    x: { type: ['string', 'number'], maxLength: STRING_LENGTH },
    y: { type: ['number', 'null'], description: 'null is a gap' },
  }),
);

const shapes: Readonly<Record<TypedArtifactType, JsonSchema>> = {
  line_chart: object({ series: measured, ...axes }),
  area_chart: object({ series: measured, ...axes, 'stacked?': boolean }),
  bar_chart: object({
    series: measured,
    ...axes,
    'stacked?': boolean,
    'orientation?': { enum: ['vertical', 'horizontal'] },
  }),
  scatter_chart: object({ series: series(object({ x: number, y: number, 'label?': string })), ...axes }),
  pie_chart: object({
    slices: list(object({ label: name, value: { type: 'number', minimum: 0 } }), SLICES_MAX),
    'unit?': string,
    'donut?': boolean,
  }),
  table: object({
    columns: list(
      object({
        key: name,
        label: string,
        'type?': { enum: ['text', 'number', 'boolean', 'date', 'url'] },
        'align?': { enum: ['left', 'right', 'center'] },
      }),
      COLUMNS_MAX,
    ),
    rows: list(
      {
        type: 'object',
        description: 'Keys are keys of columns',
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: CELL_LENGTH },
      },
      ROWS_MAX,
      0,
    ),
    'note?': string,
  }),
  stat: object({
    items: list(
      object({
        label: name,
        value: { type: ['string', 'number'], maxLength: STRING_LENGTH },
        'unit?': string,
        'delta?': { type: ['string', 'number'], maxLength: STRING_LENGTH },
        'direction?': { enum: ['up', 'down', 'flat'] },
      }),
      STAT_ITEMS_MAX,
    ),
    'note?': string,
  }),
};

/** What a schema cannot say, for readers of it; `payload-rules.ts` checks it. */
const FURTHER: Readonly<Partial<Record<TypedArtifactType, string>>> = {
  pie_chart: 'At least one value is above 0.',
  table: 'Keys of columns are unique; every key of a row is the key of a column.',
};
const OF_CHARTS = `At most ${CHART_POINTS} points in all series. x is of one kind in the whole payload: ISO 8601 strings where x.type is time, numbers where it is number. y.min is below y.max.`;

/** The schema of a type; `id` is the address at which it is served. */
export function payloadSchema(type: TypedArtifactType, id: string): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: type,
    $comment: FURTHER[type] ?? (type === 'stat' ? 'Figures, largest first.' : OF_CHARTS),
    ...shapes[type],
  };
}
