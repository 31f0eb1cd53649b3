import { Injectable } from '@nestjs/common';
import { firstWithin, jsonLength } from '#libs/kernel/answer-size.js';
import { Database } from '#libs/persistence/database.js';

export interface TagCount {
  readonly name: string;
  readonly documentCount: number;
}

export interface SeriesCount {
  readonly id: string;
  readonly name: string;
  readonly documentCount: number;
  /** Null when the series is empty. */
  readonly highestOrdinal: number | null;
}

/** As many of them as that many characters of JSON hold: when not all do, those with the fewest documents go first. */
export function mostUsedWithin<T extends { readonly documentCount: number }>(
  all: readonly T[],
  characters: number,
): readonly T[] {
  if (jsonLength(all) <= characters) return all;
  const byUse = [...all].sort((a, b) => b.documentCount - a.documentCount);
  const kept = new Set(firstWithin(byUse, characters));
  return all.filter((one) => kept.has(one));
}

/** Tags and series of a project with their documents, archived ones included. */
@Injectable()
export class LabelCounts {
  constructor(private readonly database: Database) {}

  async tags(projectId: string): Promise<TagCount[]> {
    return this.database.query<TagCount>(
      'SELECT name, document_count AS "documentCount" FROM documents.tag WHERE project_id = $1 ORDER BY name',
      [projectId],
    );
  }

  async series(projectId: string): Promise<SeriesCount[]> {
    return this.database.query<SeriesCount>(
      `SELECT s.id, s.name, s.document_count AS "documentCount",
              (SELECT max(d.series_ordinal) FROM documents.document d WHERE d.series_id = s.id) AS "highestOrdinal"
       FROM documents.series s WHERE s.project_id = $1 ORDER BY s.normalized_name`,
      [projectId],
    );
  }
}
