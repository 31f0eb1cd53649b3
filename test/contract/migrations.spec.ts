import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { migrationFiles } from '#libs/persistence/migrations.js';

/** Statements that break a release which still runs on the old shape (`platform.md` 16.3). */
const CONTRACTING =
  /^\s*(DROP\s+(TABLE|COLUMN|SCHEMA|VIEW)|ALTER\s+TABLE\s+\S+\s+(DROP|RENAME|ALTER\s+(COLUMN\s+)?\S+\s+(TYPE|SET\s+DATA\s+TYPE|SET\s+NOT\s+NULL)))/gim;

function contractingStatements(sql: string): string[] {
  return [...sql.matchAll(CONTRACTING)]
    .filter(({ index }) => !/--\s*@contract-phase:\s*\S.*\n\s*$/.test(sql.slice(0, index)))
    .map(([statement]) => statement.trim());
}

describe('migrations only expand', () => {
  it('platform 16.3: none contracts the schema without saying why it may', async () => {
    for (const file of await migrationFiles()) {
      const sql = await readFile(join(applicationRoot, 'migrations', file), 'utf8');
      expect({ file, found: contractingStatements(sql) }).toEqual({ file, found: [] });
    }
  });

  it('finds what it looks for', () => {
    expect(contractingStatements('ALTER TABLE a.b DROP COLUMN c;')).toHaveLength(1);
    expect(contractingStatements('ALTER TABLE a.b ALTER COLUMN c SET NOT NULL;')).toHaveLength(1);
    expect(contractingStatements('-- @contract-phase: nobody reads it\nDROP TABLE a.b;')).toHaveLength(0);
    expect(contractingStatements('CREATE TABLE a.b (dropped boolean);')).toHaveLength(0);
  });

  it('every name begins with a time, so that they run in order, and names its context', async () => {
    for (const file of await migrationFiles()) expect(file).toMatch(/^\d{12}-[a-z]+-[a-z-]+\.sql$/);
  });
});
