import type { SealedColumn } from '#libs/persistence/sealed-columns.js';

export const sealedColumns: readonly SealedColumn[] = [
  // Without the word, the next start seals a new one.
  { table: 'platform.key_sentinel', key: 'single', column: 'sealed', whenLost: 'row' },
  // A mail without its text is not sent, and goes after two days.
  { table: 'platform.mails', key: 'id', column: 'sealed', whenLost: 'value' },
  // The link of the mail goes on; the page shows none.
  { table: 'platform.exports', key: 'id', column: 'token_sealed', whenLost: 'value' },
];
