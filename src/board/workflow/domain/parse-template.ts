import { toAscii } from '#libs/kernel/ascii.js';
import { PALETTE } from '#libs/kernel/palette.js';
import { parseActions } from './action.js';
import { type ConditionReading, type Declared, parseCondition, refuseUnknown } from './condition.js';
import { DataReader, type Fault } from './data-reader.js';
import { BACKLOG, STANDARD_MARKERS, TERMINAL } from './places.js';
import { parseValueDefinition } from './template-value.js';
import type {
  Budgets,
  ManualMove,
  TemplateCardType,
  TemplateColumn,
  TemplateMarker,
  TemplateSlot,
  WorkflowRule,
  WorkflowTemplate,
  WorkKind,
} from './workflow-template.js';

/** Columns of a board without Backlog. */
const COLUMNS_MAX = 29;
const KEY_MAX = 40;
const LABEL_MAX = 100;
const SENTENCE_MAX = 500;

const KEY = { form: /^[a-z0-9-]+$/, says: 'must be of lower-case letters, digits and -.' };
const OWN_RULE = {
  form: /^(?!app-)[a-z0-9-]+$/,
  says: 'must be of lower-case letters, digits and -, and must not start with app-.',
};
const VALUE_KEY = { form: /^[a-z][A-Za-z0-9]*$/, says: 'must be a camelCase name.' };

const REQUIRED = [
  'key',
  'version',
  'label',
  'description',
  'columns',
  'types',
  'defaultType',
  'manualMoves',
  'kinds',
  'budgets',
  'rules',
] as const;

export interface ReadTemplate {
  readonly template: WorkflowTemplate;
  /** Everything that is wrong; a template with a fault must not be used. */
  readonly faults: readonly Fault[];
}

/**
 * Reads and checks a whole template.
 * @param keepUnknown keeps conditions that this build does not have, for a template that a project was bound to by
 *   another release; in a file they are faults.
 */
export function parseTemplate(data: unknown, keepUnknown = false): ReadTemplate {
  const root = new DataReader(data, '');
  const fields = root.fields(REQUIRED, ['slots', 'values', 'markers']);
  const slots = fields.slots.list().map(parseSlot);
  const types = fields.types.list().map(parseType);
  const kinds = fields.kinds.list().map(parseKind);
  const values = fields.values.entries().map(([key, value]) => {
    new DataReader(key, value.path, root.faults).text(KEY_MAX, VALUE_KEY);
    return parseValueDefinition(key, value);
  });
  const declared: Declared = {
    slots: new Set(slots.map(({ key }) => key)),
    types: new Set(types.map(({ key }) => key)),
    kinds: new Set(kinds.map(({ key }) => key)),
    values: new Map(values.map((value) => [value.key, value])),
  };
  const reading: ConditionReading = { declared, keepUnknown };
  const template: WorkflowTemplate = {
    key: fields.key.text(KEY_MAX, KEY),
    version: fields.version.whole(1, 1_000_000),
    label: fields.label.text(LABEL_MAX),
    description: fields.description.text(SENTENCE_MAX),
    columns: fields.columns.list().map((column) => parseColumn(column, declared)),
    slots,
    types,
    defaultType: String(fields.defaultType.value),
    manualMoves: parseMoves(fields.manualMoves, declared),
    kinds,
    values,
    budgets: parseBudgets(fields.budgets, declared),
    rules: fields.rules.list().map((rule) => parseRule(rule, reading)),
    markers: fields.markers.list().map((marker) => parseMarker(marker, reading)),
  };
  refuseRepeats(fields.slots, slots, 'key');
  refuseRepeats(fields.types, types, 'key');
  refuseRepeats(fields.kinds, kinds, 'key');
  refuseRepeats(fields.rules, template.rules, 'id');
  refuseRepeats(fields.markers, template.markers, 'key');
  checkColumns(fields.columns, template);
  checkTypes(fields, template);
  return { template, faults: root.faults };
}

function parseSlot(data: DataReader): TemplateSlot {
  const { key, label } = data.fields(['key', 'label']);
  return { key: key.text(KEY_MAX, KEY), label: label.text(LABEL_MAX) };
}

function parseColumn(data: DataReader, declared: Declared): TemplateColumn {
  const fields = data.fields(['label', 'colour'], ['slot', 'terminal']);
  refuseUnknown(fields.slot, declared.slots, 'slot');
  const terminal = fields.terminal.yesNo(false);
  if (terminal && !fields.slot.absent) fields.slot.fault('must not stand on a terminal column.');
  return {
    label: fields.label.text(LABEL_MAX),
    slot: fields.slot.absent ? null : String(fields.slot.value),
    terminal,
    colour: fields.colour.oneOf(PALETTE, 'slate'),
  };
}

function parseType(data: DataReader): TemplateCardType {
  const fields = data.fields(['key', 'label', 'colour'], ['children', 'lane']);
  const children = fields.children.yesNo(false);
  const lane = fields.lane.yesNo(false);
  if (lane && !children) fields.lane.fault('needs children: true.');
  return {
    key: fields.key.text(32, KEY),
    label: fields.label.text(60),
    colour: fields.colour.oneOf(PALETTE, 'slate'),
    children,
    lane,
  };
}

function parseMoves(data: DataReader, declared: Declared): 'any' | ManualMove[] {
  if (data.value === 'any') return 'any';
  const places = new Set([...declared.slots, BACKLOG, TERMINAL]);
  return data.list().map((move) => {
    const { from, to, by } = move.fields(['from', 'to'], ['by']);
    refuseUnknown(from, places, 'place');
    refuseUnknown(to, places, 'place');
    return {
      from: String(from.value),
      to: String(to.value),
      by: by.absent ? null : by.oneOf(['parent-run'], 'parent-run'),
    };
  });
}

function parseKind(data: DataReader): WorkKind {
  const fields = data.fields(['key', 'label', 'role'], ['capability', 'onTimeout', 'checks']);
  return {
    key: fields.key.text(KEY_MAX, KEY),
    label: fields.label.text(LABEL_MAX),
    role: fields.role.text(KEY_MAX, KEY),
    capability: fields.capability.absent ? null : fields.capability.oneOf(['interactive'], 'interactive'),
    onTimeout: fields.onTimeout.oneOf(['pause', 'expire'], 'pause'),
    checks: fields.checks.list().map((check) => check.text(SENTENCE_MAX)),
  };
}

function parseBudgets(data: DataReader, declared: Declared): Budgets {
  const fields = data.fields(['refusalBackoffMinutes', 'workTimeoutMinutes'], ['workFailure']);
  return {
    refusalBackoffMinutes: parseMinutes(fields.refusalBackoffMinutes),
    workTimeoutMinutes: fields.workTimeoutMinutes.whole(1, 43_200),
    workFailure: fields.workFailure.absent ? null : parseWorkFailure(fields.workFailure, declared),
  };
}

function parseWorkFailure(data: DataReader, declared: Declared): Budgets['workFailure'] {
  const fields = data.fields(['retryOn', 'retries', 'backoffMinutes'], ['repairKind']);
  refuseUnknown(fields.repairKind, declared.kinds, 'kind');
  return {
    retryOn: fields.retryOn.list().map((code) => code.text(KEY_MAX, KEY)),
    retries: fields.retries.whole(0, 20),
    backoffMinutes: parseMinutes(fields.backoffMinutes),
    repairKind: fields.repairKind.absent ? null : String(fields.repairKind.value),
  };
}

function parseMinutes(data: DataReader): number[] {
  const minutes = data.list().map((one) => one.whole(1, 43_200));
  if (minutes.length === 0 && !data.absent) data.fault('must name at least one delay.');
  return minutes;
}

function parseRule(data: DataReader, reading: ConditionReading): WorkflowRule {
  const id = ruleId(data.value);
  const named = id === null ? data : data.named(id);
  const fields = named.fields(['id', 'when', 'then'], ['slots', 'whilePaused', 'keepTruth']);
  const places = new Set([...reading.declared.slots, BACKLOG, TERMINAL]);
  const slots = fields.slots.list();
  for (const slot of slots) refuseUnknown(slot, places, 'place');
  if (!fields.slots.absent && slots.length === 0) fields.slots.fault('must name a place, or be left out.');
  return {
    id: fields.id.text(60, OWN_RULE),
    slots: fields.slots.absent ? null : slots.map((slot) => String(slot.value)),
    when: parseCondition(fields.when, reading),
    actions: parseActions(fields.then, reading),
    whilePaused: fields.whilePaused.yesNo(false),
    keepTruth: fields.keepTruth.yesNo(false),
  };
}

function ruleId(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null ? (data as { id?: unknown }).id : null;
  return typeof id === 'string' ? id.slice(0, 60) : null;
}

function parseMarker(data: DataReader, reading: ConditionReading): TemplateMarker {
  const fields = data.fields(['key', 'kind', 'when', 'reason', 'clears'], ['since']);
  const key = fields.key.text(KEY_MAX, KEY);
  if (STANDARD_MARKERS.includes(key)) fields.key.fault('is the key of a marker that Loupe brings itself.');
  return {
    key,
    kind: fields.kind.oneOf(['stuck', 'needs-you', 'working', 'waiting'], 'waiting'),
    when: parseCondition(fields.when, reading),
    since: fields.since.absent ? null : fields.since.text(64),
    reason: fields.reason.text(SENTENCE_MAX),
    clears: fields.clears.text(SENTENCE_MAX),
  };
}

function refuseRepeats<Key extends string>(
  data: DataReader,
  entries: readonly Readonly<Record<Key, string>>[],
  key: Key,
): void {
  const seen = new Set<string>();
  for (const { [key]: name } of entries) {
    if (name !== '' && seen.has(name)) data.fault(`the ${key} "${name}" is used twice.`);
    seen.add(name);
  }
}

function checkColumns(data: DataReader, { columns, slots }: WorkflowTemplate): void {
  if (columns.length > COLUMNS_MAX) data.fault(`must hold at most ${COLUMNS_MAX} columns.`);
  if (!columns.some(({ terminal }) => terminal)) data.fault('must hold a terminal column.');
  for (const { key } of slots) {
    const count = columns.filter(({ slot }) => slot === key).length;
    if (count !== 1) data.fault(`must hold the slot "${key}" exactly once.`);
  }
  const slugs = new Set(['backlog']);
  for (const { label } of columns) {
    const slug = slugOf(label);
    if (label !== '' && (slug === '' || slugs.has(slug))) {
      data.fault(`the label "${label}" gives no slug of its own.`);
    }
    slugs.add(slug);
  }
}

/** As columns derive it from their label (`board.md` 3.1). */
function slugOf(label: string): string {
  return toAscii(label)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function checkTypes(
  fields: Readonly<Record<'types' | 'defaultType', DataReader>>,
  { types }: WorkflowTemplate,
): void {
  refuseUnknown(fields.defaultType, new Set(types.map(({ key }) => key)), 'type');
  const chosen = types.find(({ key }) => key === fields.defaultType.value);
  if (chosen?.children) fields.defaultType.fault('must be a type without children.');
}
