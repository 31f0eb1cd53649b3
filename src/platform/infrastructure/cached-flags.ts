import { Injectable, Logger } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { FlagValues } from '../application/ports/flag-values.js';
import { type FlagReading, type FlagType, readFlag } from '../domain/flag-definition.js';
import { FLAGS, flagNamed } from '../domain/flag-registry.js';

const RELOAD_MS = 5_000;

/**
 * All values in memory. They are read anew when a signal says so, and every 5 s in any case, so that a lost signal heals.
 * Until the first load the defaults hold.
 */
@Injectable()
export class CachedFlags extends Flags {
  private readonly logger = new Logger('flags');
  private readonly handlers = new Set<(names: readonly string[]) => void>();
  private stored = new Map<string, string>();
  private readings = readAll(new Map());
  private timer: NodeJS.Timeout | undefined;
  private stops: (() => void)[] = [];
  private loading: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly values: FlagValues,
    private readonly signals: Signals,
  ) {
    super();
  }

  /** Loads once, then follows changes until `stop`. @throws when the first load fails. */
  async start(): Promise<void> {
    this.stops = [
      this.signals.subscribe('flags', () => void this.refresh()),
      this.signals.onResync(() => void this.refresh()),
    ];
    this.timer = setInterval(() => void this.refresh(), RELOAD_MS);
    this.timer.unref();
    await this.reload();
  }

  stop(): void {
    clearInterval(this.timer);
    for (const stop of this.stops.splice(0)) stop();
  }

  /** A change that commits while values are being read leads to one more reading. */
  async reload(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return this.loading;
    }
    this.loading = this.load();
    return this.loading;
  }

  override async refresh(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.logger.warn({ msg: 'Flags could not be read; the last values hold', err: error });
    }
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

  override onChange(handler: (names: readonly string[]) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  private reading(name: string, ...types: FlagType[]): FlagReading {
    const definition = flagNamed(name);
    if (!definition || !types.includes(definition.type)) {
      throw new Error(`${name} is no ${types.join(' or ')} flag of the registry.`);
    }
    return this.readings.get(name)!;
  }

  private async load(): Promise<void> {
    try {
      do {
        this.again = false;
        const stored = new Map((await this.values.all()).map(({ name, value }) => [name, value]));
        this.replace(stored);
      } while (this.again);
    } finally {
      // In the same step as the last look at `again`: a request between the two would wait for a reading that is over.
      this.loading = null;
    }
  }

  private replace(stored: Map<string, string>): void {
    const names = new Set([...this.stored.keys(), ...stored.keys()]);
    if ([...names].every((name) => this.stored.get(name) === stored.get(name))) return;
    const before = this.readings;
    this.stored = stored;
    this.readings = readAll(stored);
    const changed = FLAGS.map(({ name }) => name).filter(
      (name) => String(before.get(name)) !== String(this.readings.get(name)),
    );
    if (changed.length === 0) return;
    for (const handler of this.handlers) {
      try {
        handler(changed);
      } catch (error) {
        this.logger.error({ msg: 'A listener of flags failed', err: error });
      }
    }
  }
}

function readAll(stored: ReadonlyMap<string, string>): Map<string, FlagReading> {
  const int = (name: string): number => readFlag(flagNamed(name)!, stored.get(name), int).value as number;
  return new Map(FLAGS.map((flag) => [flag.name, readFlag(flag, stored.get(flag.name), int).value]));
}
