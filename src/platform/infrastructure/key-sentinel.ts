import type { SecretBox } from '#libs/kernel/ports/secret-box.js';
import type { Database } from '#libs/persistence/database.js';

const WORD = 'loupe';

/** What the stored word says about the key: `unset` before the first start with a database. */
export type KeyFinding = 'right' | 'wrong' | 'unset';

/** Says whether the key of this environment opens the word that the database holds. Writes nothing. */
export async function findKey(database: Database, secrets: SecretBox): Promise<KeyFinding> {
  const row = await database.one<{ sealed: string }>('SELECT sealed FROM platform.key_sentinel');
  if (!row) return 'unset';
  try {
    return secrets.open(row.sealed) === WORD ? 'right' : 'wrong';
  } catch {
    return 'wrong';
  }
}

/** The same, and a database without a word gets one. Of two processes that start at once, the first one's word stays. */
export async function settleKey(database: Database, secrets: SecretBox): Promise<'right' | 'wrong'> {
  const found = await findKey(database, secrets);
  if (found !== 'unset') return found;
  await database.query('INSERT INTO platform.key_sentinel (sealed) VALUES ($1) ON CONFLICT DO NOTHING', [
    secrets.seal(WORD),
  ]);
  return (await findKey(database, secrets)) === 'right' ? 'right' : 'wrong';
}
