import { type ConditionRule, conditionRule, type ParameterRule } from './condition-catalogue.js';
import type { DataReader } from './data-reader.js';
import { BACKLOG, TERMINAL } from './places.js';
import { fitsValue, type ValueDefinition } from './template-value.js';

export type ConditionParameters = Readonly<Record<string, unknown>>;

/** A condition of a rule or marker: a tree of `all`, `any` and `not` over facts. An empty `all` is true. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Fact;

/** A leaf: one named condition with its parameters. */
export interface Fact {
  readonly fact: string;
  readonly parameters: ConditionParameters;
  /** False for a condition that this build does not have; nothing is known about it. */
  readonly known: boolean;
}

/** What a template declares, for the parameters that name it. */
export interface Declared {
  readonly slots: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ValueDefinition>;
}

export interface ConditionReading {
  readonly declared: Declared;
  /** Keeps conditions that this build does not have, as a bound template of another release may name them. */
  readonly keepUnknown: boolean;
}

/** Trees deeper than this are refused: nobody reads them, and they cost the stack. */
export const CONDITION_DEPTH_MAX = 20;

/** Reads a condition as a template file writes it; faults go to the reader. */
export function parseCondition(data: DataReader, reading: ConditionReading, depth = 0): Condition {
  const entries = data.entries();
  const [first] = entries;
  if (!first || entries.length > 1) {
    data.fault('must hold exactly one of all, any, not or a condition.');
    return { all: [] };
  }
  if (depth >= CONDITION_DEPTH_MAX) {
    data.fault(`is nested deeper than ${CONDITION_DEPTH_MAX} levels.`);
    return { all: [] };
  }
  const [name, inner] = first;
  const parts = () => inner.list().map((part) => parseCondition(part, reading, depth + 1));
  if (name === 'all') return { all: parts() };
  if (name === 'not') return { not: parseCondition(inner, reading, depth + 1) };
  if (name === 'any') {
    const any = parts();
    if (any.length === 0) inner.fault('must hold at least one condition: an empty any is never true.');
    return { any };
  }
  return parseFact(name, inner, reading);
}

function parseFact(name: string, data: DataReader, reading: ConditionReading): Fact {
  const rule = conditionRule(name);
  if (!rule) {
    if (reading.keepUnknown) return { fact: name, parameters: asParameters(data.value), known: false };
    data.fault(`no condition is called "${name}".`);
    return { fact: name, parameters: {}, known: false };
  }
  return { fact: name, parameters: parseParameters(rule, data, reading.declared), known: true };
}

function parseParameters(rule: ConditionRule, data: DataReader, declared: Declared): ConditionParameters {
  // `pr.open:` without a value is YAML for null, and reads as "no parameters".
  if (data.value === null && rule.parameters.every((parameter) => parameter.optional)) return {};
  const needed = rule.parameters.filter((parameter) => !parameter.optional).map(({ name }) => name);
  const optional = rule.parameters.filter((parameter) => parameter.optional).map(({ name }) => name);
  const fields = data.fields(needed, optional);
  const parameters: Record<string, unknown> = {};
  for (const parameter of rule.parameters) {
    const field = fields[parameter.name] as DataReader;
    if (field.absent) continue;
    checkParameter(parameter, field, fields, declared);
    parameters[parameter.name] = field.value;
  }
  return parameters;
}

function checkParameter(
  { kind }: ParameterRule,
  field: DataReader,
  fields: Readonly<Record<string, DataReader>>,
  declared: Declared,
): void {
  switch (kind) {
    case 'slot':
      refuseUnknown(field, new Set([...declared.slots, BACKLOG, TERMINAL]), 'slot');
      return;
    case 'type':
      refuseUnknown(field, declared.types, 'type');
      return;
    case 'kind':
      refuseUnknown(field, declared.kinds, 'kind');
      return;
    case 'value':
      refuseUnknown(field, new Set(declared.values.keys()), 'value');
      return;
    case 'valueOf': {
      const definition = declared.values.get(String(fields.key?.value));
      if (definition && !fitsValue(definition, field.value))
        field.fault('does not fit the type of the value.');
      return;
    }
    case 'count':
      field.whole(1, 1000);
      return;
    default:
      field.text(64, { form: /^[a-z0-9][a-z0-9-]*$/, says: 'must be of lower-case letters, digits and -.' });
  }
}

/** Notes a fault when the text of `field` is none of `known`. */
export function refuseUnknown(field: DataReader, known: ReadonlySet<string>, what: string): void {
  if (field.absent || (typeof field.value === 'string' && known.has(field.value))) return;
  const names = known.size === 0 ? 'The template declares none.' : `Use one of: ${[...known].join(', ')}.`;
  field.fault(`names no ${what} of the template. ${names}`);
}

function asParameters(value: unknown): ConditionParameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The condition as a template file writes it: what `parseCondition` reads again. */
export function conditionData(condition: Condition): Record<string, unknown> {
  if ('all' in condition) return { all: condition.all.map(conditionData) };
  if ('any' in condition) return { any: condition.any.map(conditionData) };
  if ('not' in condition) return { not: conditionData(condition.not) };
  return { [condition.fact]: condition.parameters };
}

/** The facts that a condition reads, in the order in which they stand, with how each is read. */
export function factsOf(condition: Condition, negated = false): (Fact & { readonly negated: boolean })[] {
  if ('all' in condition) return condition.all.flatMap((part) => factsOf(part, negated));
  if ('any' in condition) return condition.any.flatMap((part) => factsOf(part, negated));
  if ('not' in condition) return factsOf(condition.not, !negated);
  return [{ ...condition, negated }];
}
