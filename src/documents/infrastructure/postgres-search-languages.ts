import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { SearchLanguages } from '../application/ports/search-languages.js';

/** Configurations change only with the server, so a minute of memory is safe. */
const KEPT_MILLISECONDS = 60_000;

@Injectable()
export class PostgresSearchLanguages extends SearchLanguages {
  private known: { readonly names: readonly string[]; readonly until: number } | null = null;

  constructor(private readonly database: Database) {
    super();
  }

  override async names(): Promise<readonly string[]> {
    if (this.known && this.known.until > Date.now()) return this.known.names;
    const rows = await this.database.query<{ name: string }>(
      'SELECT DISTINCT cfgname::text AS name FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY 1',
    );
    const names = rows.map((row) => row.name);
    this.known = { names, until: Date.now() + KEPT_MILLISECONDS };
    return names;
  }
}
