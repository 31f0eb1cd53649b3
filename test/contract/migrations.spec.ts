import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { migrationFiles } from '#libs/persistence/migrations.js';

/** Clauses of ALTER TABLE that break a release which still runs on the old shape (`platform.md` 16.3). */
const CONTRACTING_CLAUSES = [
  /^DROP\s+(?!NOT\s+NULL|DEFAULT|EXPRESSION)/i,
  /^RENAME\b/i,
  /^ALTER\s+(COLUMN\s+)?\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /^ALTER\s+(COLUMN\s+)?\S+\s+SET\s+NOT\s+NULL/i,
  /^ALTER\s+(COLUMN\s+)?\S+\s+DROP\s+DEFAULT/i,
  // The old release writes rows without the new column.
  /^ADD\s+(COLUMN\s+)?(?!CONSTRAINT)(?=.*\bNOT\s+NULL\b)(?!.*\b(DEFAULT|GENERATED)\b)/is,
  /^ADD\s+(CONSTRAINT\s+\S+\s+)?(UNIQUE|PRIMARY\s+KEY)/i,
];

/** Breaking statements of a file that no `@contract-phase` excuses. Tables that the file itself makes are nobody's yet. */
function contractingStatements(sql: string): string[] {
  const made = new Set(
    [...sql.matchAll(/\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(\S+)/gi)].map(([, table]) => table),
  );
  // Bodies of functions are code, not statements.
  const statements = sql.replace(/\$(\w*)\$.*?\$\1\$/gs, "''").split(';');
  return statements.flatMap((given) => {
    const excused = /--\s*@contract-phase:\s*\S/.test(given);
    const statement = given.replace(/--.*$/gm, '').trim();
    return excused || !breaks(statement, made) ? [] : [statement];
  });
}

function breaks(statement: string, made: ReadonlySet<string | undefined>): boolean {
  const [, unique] = /^CREATE\s+UNIQUE\s+INDEX\s.*?\sON\s+(?:ONLY\s+)?([\w.]+)/is.exec(statement) ?? [];
  if (unique) return !made.has(unique);
  if (/^DROP\s+(TABLE|SCHEMA|VIEW|MATERIALIZED|FUNCTION|TYPE|SEQUENCE)\b/i.test(statement)) return true;
  const [, table, clauses] =
    /^ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(\S+)\s+(.*)$/is.exec(statement) ?? [];
  if (!table || made.has(table)) return false;
  return clausesOf(clauses!).some((clause) => CONTRACTING_CLAUSES.some((pattern) => pattern.test(clause)));
}

/** Parts between commas that stand outside of brackets. */
function clausesOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

describe('migrations only expand', () => {
  it('platform 16.3: none contracts the schema without saying why it may', async () => {
    for (const file of await migrationFiles()) {
      const sql = await readFile(join(applicationRoot, 'migrations', file), 'utf8');
      expect({ file, found: contractingStatements(sql) }).toEqual({ file, found: [] });
    }
  });

  it.each([
    'ALTER TABLE a.b DROP COLUMN c;',
    'ALTER TABLE a.b DROP c;',
    'ALTER TABLE a.b ADD COLUMN d text, DROP COLUMN c;',
    'ALTER TABLE a.b RENAME COLUMN c TO d;',
    'ALTER TABLE a.b ALTER COLUMN c SET NOT NULL;',
    'ALTER TABLE a.b ALTER c TYPE integer;',
    'ALTER TABLE a.b ADD COLUMN c text NOT NULL;',
    'ALTER TABLE a.b ADD CONSTRAINT one UNIQUE (c);',
    'CREATE UNIQUE INDEX one ON a.b (c);',
    'DROP TABLE a.b;',
    'DROP FUNCTION a.f;',
  ])('platform 19.23: the release before could not go on after %s', (statement) => {
    expect(contractingStatements(`CREATE TABLE a.other (x int); ${statement}`)).toHaveLength(1);
    expect(contractingStatements(`-- @contract-phase: nobody reads it\n${statement}`)).toHaveLength(0);
  });

  it.each([
    'ALTER TABLE a.b ADD COLUMN c text;',
    "ALTER TABLE a.b ADD COLUMN c text NOT NULL DEFAULT 'x';",
    'ALTER TABLE a.b ALTER COLUMN c DROP NOT NULL;',
    'CREATE TABLE a.b (dropped boolean); CREATE UNIQUE INDEX one ON a.b (dropped);',
    'CREATE INDEX CONCURRENTLY two ON a.b (c);',
    'CREATE FUNCTION a.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; END $$;',
  ])('platform 19.23: it goes on after %s', (statement) => {
    expect(contractingStatements(statement)).toEqual([]);
  });

  it('every name begins with a time, so that they run in order, and names its context', async () => {
    for (const file of await migrationFiles()) expect(file).toMatch(/^\d{12}-[a-z]+-[a-z-]+\.sql$/);
  });
});
