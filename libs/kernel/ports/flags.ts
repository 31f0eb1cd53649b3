/** Instance switches and values; the registry is in `src/platform/domain/flag-registry.ts`. Reads are from memory. */
export abstract class Flags {
  /** @throws when `name` is no bool flag of the registry. */
  abstract isOn(name: string): boolean;
  abstract int(name: string): number;
  /** Value of a string or enum flag. */
  abstract text(name: string): string;
  abstract list(name: string): readonly string[];
  /** Sentence that refuses a call while the flag is off. */
  abstract refusal(name: string): string;
  /**
   * Reads the values anew, so that what this process just committed holds for its next reader. Other processes follow by
   * the signal. Never rejects: when the values cannot be read, the last ones hold until the next reading.
   */
  abstract refresh(): Promise<void>;
  /** Called in every process after values changed, with the names that changed. Returns the way to stop it. */
  abstract onChange(handler: (names: readonly string[]) => void): () => void;
}
