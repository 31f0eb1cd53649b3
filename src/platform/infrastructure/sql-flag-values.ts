import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { FlagValues, type StoredFlag } from '../application/ports/flag-values.js';

interface Row {
  name: string;
  value: string;
  updated_at: Date;
  updated_by: string | null;
}

@Injectable()
export class SqlFlagValues extends FlagValues {
  constructor(private readonly database: Database) {
    super();
  }

  override async all(): Promise<StoredFlag[]> {
    const rows = await this.database.query<Row>(
      'SELECT name, value, updated_at, updated_by FROM platform.flag_values ORDER BY name',
    );
    return rows.map((row) => ({
      name: row.name,
      value: row.value,
      updatedAt: row.updated_at,
      updatedBy: row.updated_by,
    }));
  }

  override async set(flag: StoredFlag): Promise<boolean> {
    const changed = await this.database.query(
      `INSERT INTO platform.flag_values (name, value, updated_at, updated_by) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE
         SET value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by
         WHERE flag_values.value <> excluded.value
       RETURNING name`,
      [flag.name, flag.value, flag.updatedAt, flag.updatedBy],
    );
    return changed.length > 0;
  }

  override async remove(name: string): Promise<string | null> {
    const [row] = await this.database.query<{ value: string }>(
      'DELETE FROM platform.flag_values WHERE name = $1 RETURNING value',
      [name],
    );
    return row?.value ?? null;
  }
}
