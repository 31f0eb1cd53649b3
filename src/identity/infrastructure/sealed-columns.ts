import type { SealedColumn } from '#libs/persistence/sealed-columns.js';

export const sealedColumns: readonly SealedColumn[] = [
  // Nothing is signed with it; the next start makes another one.
  { table: 'identity.oauth_keys', key: 'name', column: 'sealed_jwk', whenLost: 'row' },
  // Signing out then ends the session here alone, not the one at the issuer.
  { table: 'identity.web_sessions', key: 'id', column: 'company_token', whenLost: 'value' },
];
