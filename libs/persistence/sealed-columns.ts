import type { SecretBox } from '#libs/kernel/ports/secret-box.js';
import type { Database } from './database.js';

/** A column that holds values of `SecretBox.seal`. Every such column has to be named, or it is lost when a key goes. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  /** A unique column without nulls. */
  readonly key: string;
  readonly column: string;
  /** What goes when no known key opens a value: the whole row, or the value alone (the column takes nulls). */
  readonly whenLost: 'row' | 'value';
}

/** What happened to one column. */
export interface ResealedColumn {
  /** `schema.table.column` */
  readonly name: string;
  readonly resealed: number;
  /** Values that no known key opens. They were left as they are, or given up where that was asked for. */
  readonly unreadable: number;
}

const PAGE = 500;

interface Row {
  readonly key: string;
  readonly sealed: string;
}

/**
 * Seals every value anew that is sealed with an older key. Safe to repeat and beside running processes: a value that
 * changed meanwhile is left alone, for whoever changed it sealed it with a key of today.
 */
export async function reseal(
  database: Database,
  secrets: SecretBox,
  columns: readonly SealedColumn[],
  options: { readonly giveUpUnreadable: boolean },
): Promise<ResealedColumn[]> {
  const done: ResealedColumn[] = [];
  for (const sealed of columns) done.push(await resealColumn(database, secrets, sealed, options));
  return done;
}

async function resealColumn(
  database: Database,
  secrets: SecretBox,
  sealed: SealedColumn,
  { giveUpUnreadable }: { readonly giveUpUnreadable: boolean },
): Promise<ResealedColumn> {
  const { table, key, column, whenLost } = sealed;
  const giveUp =
    whenLost === 'row'
      ? `DELETE FROM ${table} WHERE ${key}::text = $1 AND ${column} = $2`
      : `UPDATE ${table} SET ${column} = NULL WHERE ${key}::text = $1 AND ${column} = $2`;
  let resealed = 0;
  let unreadable = 0;
  for (let after = ''; ; ) {
    const rows = await database.query<Row>(
      `SELECT ${key}::text AS key, ${column} AS sealed FROM ${table}
       WHERE ${column} IS NOT NULL AND ${key}::text > $1 ORDER BY ${key}::text LIMIT ${PAGE}`,
      [after],
    );
    for (const row of rows) {
      if (secrets.isCurrent(row.sealed)) continue;
      const plain = opened(secrets, row.sealed);
      if (plain === null) {
        unreadable += 1;
        if (giveUpUnreadable) await database.query(giveUp, [row.key, row.sealed]);
        continue;
      }
      const written = await database.query(
        `UPDATE ${table} SET ${column} = $3 WHERE ${key}::text = $1 AND ${column} = $2 RETURNING 1`,
        [row.key, row.sealed, secrets.seal(plain)],
      );
      resealed += written.length;
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.key;
  }
  return { name: `${table}.${column}`, resealed, unreadable };
}

function opened(secrets: SecretBox, sealed: string): string | null {
  try {
    return secrets.open(sealed);
  } catch {
    return null;
  }
}
