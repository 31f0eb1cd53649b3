import type { DataReader } from './data-reader.js';

export const VALUE_TYPES = ['bool', 'int', 'choice', 'set', 'branch-pattern'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];
export type SettingValue = boolean | number | string | readonly string[];

/** A setting of a project that its template declares. */
export interface ValueDefinition {
  readonly key: string;
  readonly type: ValueType;
  readonly default: SettingValue;
  /** For `int`. */
  readonly min: number | null;
  readonly max: number | null;
  /** For `choice` and `set`. */
  readonly options: readonly string[];
  /** `owner`: people with `administer`, in the browser. `agent`: connections with `administer` alone. */
  readonly editable: 'owner' | 'agent';
}

const BRANCH_MAX = 200;

/** What is wrong with a value of this definition, as the sentence of a refusal; null when nothing is. */
export function valueFault(definition: ValueDefinition, value: unknown): string | null {
  switch (definition.type) {
    case 'bool':
      return typeof value === 'boolean' ? null : 'Use true or false.';
    case 'int': {
      const { min, max } = definition;
      const fits =
        Number.isInteger(value) && (value as number) >= (min ?? 0) && (value as number) <= (max ?? MAX_INT);
      return fits ? null : `Use a whole number from ${min ?? 0} to ${max ?? MAX_INT}.`;
    }
    case 'choice':
      return definition.options.includes(value as string)
        ? null
        : `Use one of: ${definition.options.join(', ')}.`;
    case 'set': {
      const chosen = Array.isArray(value) ? (value as unknown[]) : [];
      const fits =
        chosen.length > 0 &&
        new Set(chosen).size === chosen.length &&
        chosen.every((one) => definition.options.includes(one as string));
      return fits ? null : `Choose at least one of: ${definition.options.join(', ')}, each once.`;
    }
    case 'branch-pattern':
      return branchPatternFault(value);
  }
}

const MAX_INT = 2_147_483_647;

/** Whether a stored or given value is one that the definition allows. */
export function fitsValue(definition: ValueDefinition, value: unknown): boolean {
  return valueFault(definition, value) === null;
}

/** `{number}` exactly once in a valid branch name, or empty for no branches. */
function branchPatternFault(value: unknown): string | null {
  if (value === '') return null;
  if (typeof value !== 'string' || value.split('{number}').length !== 2) {
    return 'Use a branch name that holds {number} exactly once, or leave it empty for no epic branches.';
  }
  if (value.length > BRANCH_MAX) return `Use at most ${BRANCH_MAX} characters.`;
  return isBranchName(value.replace('{number}', '1'))
    ? null
    : 'Use a valid branch name: no spaces, no "..", no "@{", none of ~ ^ : ? * [ \\, and no part that begins with "." or ends with ".lock".';
}

/** The rules of `git check-ref-format --branch`. */
function isBranchName(name: string): boolean {
  if (name.startsWith('-') || name.endsWith('.') || name === '@') return false;
  if (/\.\.|@\{|\/\/|[\s~^:?*[\\\p{Cc}]/u.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

const WORD = { form: /^[a-z0-9][a-z0-9-]*$/, says: 'must be of lower-case letters, digits and -.' };

/** The definition of one value of a template; everything that is wrong goes to the reader of the data. */
export function parseValueDefinition(key: string, data: DataReader): ValueDefinition {
  const fields = data.fields(['type', 'default', 'editable'], ['min', 'max', 'options']);
  const type = fields.type.oneOf(VALUE_TYPES, 'bool');
  for (const name of ['min', 'max'] as const) {
    if (!fields[name].absent && type !== 'int') fields[name].fault('only fits the type int.');
  }
  const choosing = type === 'choice' || type === 'set';
  if (!fields.options.absent && !choosing) fields.options.fault('only fits the types choice and set.');
  const options = fields.options.list().map((option) => option.text(64, WORD));
  if (choosing && options.length < 2) fields.options.fault('must name at least two options.');
  if (new Set(options).size !== options.length) fields.options.fault('names an option twice.');
  const definition: ValueDefinition = {
    key,
    type,
    default: fields.default.value as SettingValue,
    min: fields.min.absent ? null : fields.min.whole(-MAX_INT, MAX_INT),
    max: fields.max.absent ? null : fields.max.whole(-MAX_INT, MAX_INT),
    options,
    editable: fields.editable.oneOf(['owner', 'agent'], 'owner'),
  };
  if (definition.min !== null && definition.max !== null && definition.min > definition.max) {
    fields.max.fault('is below min.');
  }
  const fault = fields.default.absent ? null : valueFault(definition, definition.default);
  if (fault) fields.default.fault(`does not fit: ${fault}`);
  return definition;
}
