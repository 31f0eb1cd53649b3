export interface StoredFlag {
  readonly name: string;
  readonly value: string;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

/** Stored values of flags; a missing row means the default. */
export abstract class FlagValues {
  abstract all(): Promise<StoredFlag[]>;
  /** True when the stored value is another one now. */
  abstract set(flag: StoredFlag): Promise<boolean>;
  /** The value that was stored, or null when there was no row. */
  abstract remove(name: string): Promise<string | null>;
}
