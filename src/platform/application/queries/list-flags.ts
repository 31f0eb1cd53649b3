import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import {
  type FlagDefinition,
  type FlagReading,
  type FlagType,
  readFlag,
} from '../../domain/flag-definition.js';
import { FLAGS, flagNamed } from '../../domain/flag-registry.js';
import { ActorNames } from '../ports/actor-names.js';
import { FlagValues, type StoredFlag } from '../ports/flag-values.js';

export interface FlagView {
  readonly name: string;
  readonly type: FlagType;
  readonly context: string;
  readonly description: string;
  readonly default: FlagReading;
  readonly value: FlagReading;
  readonly isDefault: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly values: readonly string[] | null;
  readonly updatedAt: string | null;
  /** Name of who changed it; null for the default and for people who have gone. */
  readonly updatedBy: string | null;
  /** The stored value is outside the bounds; `value` is how it is read. */
  readonly outOfRange: boolean;
}

export interface UnusedFlag {
  readonly name: string;
  readonly value: string;
  readonly updatedAt: string;
}

/** Every defined flag with its value, and rows that no definition knows. */
@Injectable()
export class ListFlags {
  constructor(
    private readonly values: FlagValues,
    private readonly names: ActorNames,
  ) {}

  async execute(actor: Actor): Promise<{ flags: FlagView[]; unused: UnusedFlag[] }> {
    requireAdmin(actor, 'Flag');
    const stored = await this.values.all();
    const rows = new Map(stored.map((row) => [row.name, row]));
    const people = stored.flatMap(({ updatedBy }) => (updatedBy === null ? [] : [updatedBy]));
    const names = await this.names.personNames(people);
    const int = (name: string): number => readInt(name, rows, int);
    return {
      flags: FLAGS.map((definition) => {
        const row = rows.get(definition.name);
        const { value, outOfRange } = readFlag(definition, row?.value, int);
        return {
          name: definition.name,
          type: definition.type,
          context: definition.context,
          description: definition.description,
          default: definition.default,
          value,
          isDefault: row === undefined,
          ...boundsOf(definition, int),
          updatedAt: row?.updatedAt.toISOString() ?? null,
          updatedBy: (row?.updatedBy && names.get(row.updatedBy)) || null,
          outOfRange,
        };
      }),
      unused: stored
        .filter(({ name }) => !flagNamed(name))
        .map(({ name, value, updatedAt }) => ({ name, value, updatedAt: updatedAt.toISOString() })),
    };
  }
}

function readInt(name: string, rows: Map<string, StoredFlag>, int: (name: string) => number): number {
  const definition = flagNamed(name);
  if (definition?.type !== 'int') throw new Error(`${name} is no int flag.`);
  return readFlag(definition, rows.get(name)?.value, int).value as number;
}

function boundsOf(
  definition: FlagDefinition,
  int: (name: string) => number,
): Pick<FlagView, 'min' | 'max' | 'values'> {
  switch (definition.type) {
    case 'int':
      return {
        min: Math.max(definition.min, definition.floor?.of(int) ?? definition.min),
        max: definition.max ?? null,
        values: null,
      };
    case 'string':
      return { min: definition.minLength, max: definition.maxLength, values: null };
    case 'enum':
      return { min: null, max: null, values: definition.values };
    default:
      return { min: null, max: null, values: null };
  }
}
