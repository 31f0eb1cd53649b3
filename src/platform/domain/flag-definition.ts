export type FlagType = 'bool' | 'int' | 'string' | 'enum' | 'list';
export type FlagReading = boolean | number | string | readonly string[];

/** Gives the value of an int flag, for bounds that depend on another flag. */
export type IntReader = (name: string) => number;

interface Described {
  readonly name: string;
  /** The context that explains it. */
  readonly context: string;
  /** One sentence. */
  readonly description: string;
  /** The sentence that refuses a call while a gate is off. */
  readonly refusal?: string;
}

export interface BoolFlag extends Described {
  readonly type: 'bool';
  readonly default: boolean;
}

export interface IntFlag extends Described {
  readonly type: 'int';
  readonly default: number;
  readonly min: number;
  readonly max?: number;
  /** How a stored value outside its bounds is read. */
  readonly outside: 'nearest' | 'default';
  /** A lower bound that follows another flag; below it the value is read as this bound. */
  readonly floor?: { readonly words: string; readonly of: (int: IntReader) => number };
}

export interface StringFlag extends Described {
  readonly type: 'string';
  readonly default: string;
  readonly minLength: number;
  readonly maxLength: number;
}

export interface EnumFlag extends Described {
  readonly type: 'enum';
  readonly default: string;
  readonly values: readonly string[];
}

export interface ListFlag extends Described {
  readonly type: 'list';
  readonly default: readonly string[];
}

/** A switch or value of the instance. Where no row is stored, the default holds. */
export type FlagDefinition = BoolFlag | IntFlag | StringFlag | EnumFlag | ListFlag;

export interface FlagState {
  readonly value: FlagReading;
  /** True when a row is stored whose value the definition does not allow. */
  readonly outOfRange: boolean;
}

const LIST_ENTRY = /^[A-Za-z0-9@][A-Za-z0-9@._/+-]{0,99}$/;
const LIST_MAX = 100;

/** What a flag is worth: the stored text inside its bounds, or what the definition says for a text outside of them. */
export function readFlag(definition: FlagDefinition, stored: string | undefined, int: IntReader): FlagState {
  switch (definition.type) {
    case 'bool':
      if (stored === undefined) return { value: definition.default, outOfRange: false };
      return stored === 'true' || stored === 'false'
        ? { value: stored === 'true', outOfRange: false }
        : { value: definition.default, outOfRange: true };
    case 'int':
      return readInt(definition, stored, int);
    case 'string': {
      const fits =
        stored !== undefined &&
        stored.length >= definition.minLength &&
        stored.length <= definition.maxLength;
      return { value: fits ? stored : definition.default, outOfRange: stored !== undefined && !fits };
    }
    case 'enum': {
      const fits = stored !== undefined && definition.values.includes(stored);
      return { value: fits ? stored : definition.default, outOfRange: stored !== undefined && !fits };
    }
    case 'list': {
      if (stored === undefined) return { value: definition.default, outOfRange: false };
      const entries = splitList(stored);
      const fits = listProblem(entries) === null;
      return { value: fits ? entries : definition.default, outOfRange: !fits };
    }
  }
}

function readInt(definition: IntFlag, stored: string | undefined, int: IntReader): FlagState {
  const least = Math.max(definition.min, definition.floor?.of(int) ?? definition.min);
  if (stored === undefined) return { value: Math.max(definition.default, least), outOfRange: false };
  const value = Number(stored);
  if (!/^-?\d{1,15}$/.test(stored)) return { value: Math.max(definition.default, least), outOfRange: true };
  if (value < definition.min && definition.outside === 'default') {
    return { value: Math.max(definition.default, least), outOfRange: true };
  }
  if (value < least) return { value: least, outOfRange: true };
  if (definition.max !== undefined && value > definition.max) {
    return {
      value: definition.outside === 'nearest' ? definition.max : definition.default,
      outOfRange: true,
    };
  }
  return { value, outOfRange: false };
}

export type ParsedFlag =
  | { readonly stored: string; readonly problem?: undefined }
  | { readonly problem: string };

/** The text to store for a value that somebody enters, or the sentence that names what is accepted. */
export function parseFlag(definition: FlagDefinition, given: unknown, int: IntReader): ParsedFlag {
  switch (definition.type) {
    case 'bool':
      return given === true || given === 'true' || given === false || given === 'false'
        ? { stored: String(given) }
        : { problem: 'must be true or false' };
    case 'int':
      return parseWholeNumber(definition, given, int);
    case 'string': {
      if (typeof given !== 'string') return { problem: 'must be a text' };
      const text = given.trim();
      const { minLength, maxLength } = definition;
      return text.length < minLength || text.length > maxLength || /\p{Cc}/u.test(text)
        ? { problem: `must be one line of ${minLength} to ${maxLength} characters` }
        : { stored: text };
    }
    case 'enum':
      return typeof given === 'string' && definition.values.includes(given)
        ? { stored: given }
        : { problem: `must be one of ${definition.values.join(', ')}` };
    case 'list': {
      const entries = Array.isArray(given)
        ? given.map((entry) => (typeof entry === 'string' ? entry.trim() : ''))
        : typeof given === 'string'
          ? splitList(given)
          : [];
      const problem = listProblem(entries);
      return problem ? { problem } : { stored: [...new Set(entries)].join(',') };
    }
  }
}

function parseWholeNumber(definition: IntFlag, given: unknown, int: IntReader): ParsedFlag {
  const { min, max, floor } = definition;
  const value = typeof given === 'string' && /^-?\d{1,15}$/.test(given.trim()) ? Number(given) : given;
  const least = Math.max(min, floor?.of(int) ?? min);
  if (
    typeof value !== 'number' ||
    !Number.isSafeInteger(value) ||
    value < least ||
    value > (max ?? Number.MAX_SAFE_INTEGER)
  ) {
    const bound = floor && least > min ? `${least} (${floor.words})` : String(least);
    return {
      problem:
        max === undefined
          ? `must be a whole number of at least ${bound}`
          : `must be a whole number from ${bound} to ${max}`,
    };
  }
  return { stored: String(value) };
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function listProblem(entries: readonly string[]): string | null {
  if (entries.length === 0) return 'must name at least one entry, separated by commas';
  if (entries.length > LIST_MAX) return `must have at most ${LIST_MAX} entries`;
  const bad = entries.find((entry) => !LIST_ENTRY.test(entry));
  return bad === undefined ? null : `"${bad}" is no name: use letters, digits and @ . _ / + -`;
}
