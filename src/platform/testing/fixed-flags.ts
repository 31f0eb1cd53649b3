import { Flags } from '#libs/kernel/ports/flags.js';
import { type FlagReading, readFlag } from '../domain/flag-definition.js';
import { flagNamed } from '../domain/flag-registry.js';

/** Flags of the real registry with the stored texts that a test gives; all others have their default. */
export class FixedFlags extends Flags {
  private readonly handlers = new Set<(names: readonly string[]) => void>();
  private readonly stored: Map<string, string>;

  constructor(stored: Readonly<Record<string, string>> = {}) {
    super();
    this.stored = new Map(Object.entries(stored));
  }

  /** Stores another text and tells who listens; null goes back to the default. */
  set(name: string, stored: string | null): void {
    if (stored === null) this.stored.delete(name);
    else this.stored.set(name, stored);
    for (const handler of this.handlers) handler([name]);
  }

  override isOn(name: string): boolean {
    return this.reading(name, 'bool') as boolean;
  }

  override int(name: string): number {
    return this.reading(name, 'int') as number;
  }

  override text(name: string): string {
    return this.reading(name, 'string', 'enum') as string;
  }

  override list(name: string): readonly string[] {
    return this.reading(name, 'list') as readonly string[];
  }

  override refusal(name: string): string {
    return flagNamed(name)?.refusal ?? 'This is switched off on this instance.';
  }

  override async refresh(): Promise<void> {}

  override onChange(handler: (names: readonly string[]) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  private reading(name: string, ...types: string[]): FlagReading {
    const definition = flagNamed(name);
    if (!definition || !types.includes(definition.type)) {
      throw new Error(`${name} is no ${types.join(' or ')} flag of the registry.`);
    }
    return readFlag(definition, this.stored.get(name), (other) => this.int(other)).value;
  }
}
