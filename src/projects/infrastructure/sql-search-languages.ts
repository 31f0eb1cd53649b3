import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { SearchLanguages } from '../application/ports/search-languages.js';

/** The text-search configurations that PostgreSQL has installed. */
@Injectable()
export class SqlSearchLanguages extends SearchLanguages {
  constructor(private readonly database: Database) {
    super();
  }

  override async names(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'SELECT DISTINCT cfgname::text AS name FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY 1',
    );
    return rows.map((row) => row.name);
  }
}
