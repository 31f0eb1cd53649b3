import type { Database } from './database.js';

const PAGE = 100;

/** Gives the rows of a query to `emit` one after the other, on one state of the database, a hundred in memory at most. */
export async function eachRow(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
  emit: (row: unknown) => Promise<void>,
): Promise<void> {
  await database.snapshot(async () => {
    await database.query(`DECLARE each_row NO SCROLL CURSOR FOR ${sql}`, parameters);
    for (;;) {
      const rows = await database.query(`FETCH ${PAGE} FROM each_row`);
      for (const row of rows) await emit(row);
      if (rows.length < PAGE) return;
    }
  });
}

/** The rows of a query as one file of a data export. */
export function rowsFile(
  database: Database,
  name: string,
  sql: string,
  parameters: readonly unknown[],
): { readonly name: string; write(emit: (row: unknown) => Promise<void>): Promise<void> } {
  return { name, write: (emit) => eachRow(database, sql, parameters, emit) };
}
