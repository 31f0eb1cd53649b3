import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import {
  PublishedArtifacts,
  type PublishedFact,
} from '#src/artifacts/library/application/ports/library-hooks.js';
import { PreviewAddresses } from '../application/ports/preview-addresses.js';

interface Row {
  readonly artifact_id: string;
  readonly subdomain: string;
  readonly version_number: number;
}

/** What the library says about live pages. Nothing is live while publishing is switched off. */
@Injectable()
export class PublishedFromTable extends PublishedArtifacts {
  constructor(
    private readonly database: Database,
    private readonly addresses: PreviewAddresses,
    private readonly flags: Flags,
  ) {
    super();
  }

  override async of(artifactIds: readonly string[]): Promise<Map<string, PublishedFact>> {
    if (!this.flags.isOn('artifacts.publish.enabled')) return new Map();
    const rows = await this.database.query<Row>(
      `SELECT artifact_id, subdomain, version_number FROM artifacts.publication
       WHERE artifact_id = ANY($1) AND version_number IS NOT NULL`,
      [[...artifactIds]],
    );
    return new Map(
      rows.map((row) => [
        row.artifact_id,
        { liveUrl: this.addresses.liveBase(row.subdomain), version: row.version_number },
      ]),
    );
  }

  override async takenDownReason(artifactId: string): Promise<string | null> {
    const row = await this.database.one<{ readonly reason: string | null }>(
      `SELECT taken_down_reason AS reason FROM artifacts.publication
       WHERE artifact_id = $1 AND version_number IS NULL`,
      [artifactId],
    );
    return row?.reason ?? null;
  }
}
