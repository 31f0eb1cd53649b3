import { codePoints } from '#libs/kernel/text.js';

/** One fault of a template file: where it is and what is wrong there. */
export interface Fault {
  readonly path: string;
  readonly sentence: string;
}

/**
 * Reads data of unknown shape and notes every fault with its path, so that one look tells all that is wrong. A part that
 * cannot be read gives a harmless value in its place; whoever reads asks `faults` at the end.
 */
export class DataReader {
  constructor(
    readonly value: unknown,
    readonly path: string,
    readonly faults: Fault[] = [],
  ) {}

  fault(sentence: string): void {
    this.faults.push({ path: this.path || '(file)', sentence });
  }

  get absent(): boolean {
    return this.value === undefined;
  }

  /** The fields of a map; unknown keys and missing required ones are faults. */
  fields<Key extends string>(
    required: readonly Key[],
    optional: readonly Key[] = [],
  ): Record<Key, DataReader> {
    const known = [...required, ...optional];
    const map = this.map();
    for (const key of Object.keys(map)) {
      if (!(known as readonly string[]).includes(key)) {
        this.at(key).fault(`is unknown here. Use ${known.length === 0 ? 'no keys' : known.join(', ')}.`);
      }
    }
    for (const key of required) if (!Object.hasOwn(map, key)) this.at(key).fault('is missing.');
    return Object.fromEntries(known.map((key) => [key, this.child(key, own(map, key))])) as Record<
      Key,
      DataReader
    >;
  }

  /** Entries of a map whose keys are free. */
  entries(): [string, DataReader][] {
    return Object.entries(this.map()).map(([key, value]) => [key, this.child(key, value)]);
  }

  list(): DataReader[] {
    if (this.absent) return [];
    if (!Array.isArray(this.value)) {
      this.fault('must be a list.');
      return [];
    }
    return this.value.map((value, index) => new DataReader(value, `${this.path}[${index}]`, this.faults));
  }

  /** One line of text, 1 to `max` characters. */
  text(max: number, pattern?: { readonly form: RegExp; readonly says: string }): string {
    if (this.absent) return '';
    if (typeof this.value !== 'string' || this.value.trim() === '' || codePoints(this.value) > max) {
      this.fault(`must be text of 1 to ${max} characters.`);
      return '';
    }
    if (/[\p{Cc}\u2028\u2029]|\p{Surrogate}/u.test(this.value)) {
      this.fault('must be one line without control characters.');
      return '';
    }
    if (pattern && !pattern.form.test(this.value)) {
      this.fault(pattern.says);
      return '';
    }
    return this.value;
  }

  yesNo(fallback: boolean): boolean {
    if (this.absent) return fallback;
    if (typeof this.value === 'boolean') return this.value;
    this.fault('must be true or false.');
    return fallback;
  }

  whole(min: number, max: number): number {
    if (this.absent) return min;
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    this.fault(`must be a whole number from ${min} to ${max}.`);
    return min;
  }

  /** One of a few words; `absent` is what a missing one means. */
  oneOf<const Word extends string>(words: readonly Word[], absent: NoInfer<Word>): Word {
    if (this.absent) return absent;
    if ((words as readonly unknown[]).includes(this.value)) return this.value as Word;
    this.fault(`must be one of: ${words.join(', ')}.`);
    return absent;
  }

  at(key: string): DataReader {
    return this.child(key, undefined);
  }

  /** The same value under a path that also says what it is called. */
  named(name: string): DataReader {
    return new DataReader(this.value, `${this.path} "${name}"`, this.faults);
  }

  private child(key: string, value: unknown): DataReader {
    return new DataReader(value, this.path === '' ? key : `${this.path}.${key}`, this.faults);
  }

  private map(): Record<string, unknown> {
    if (this.absent) return {};
    if (typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value)) {
      return this.value as Record<string, unknown>;
    }
    this.fault('must be a map of keys and values.');
    return {};
  }
}

function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
