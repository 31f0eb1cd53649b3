import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { firstWithin, jsonLength } from '../answer-size.js';

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
      `SELECT t.name, count(dt.document_id)::int AS "documentCount"
       FROM documents.tag t LEFT JOIN documents.document_tag dt ON dt.tag_id = t.id
       WHERE t.project_id = $1 GROUP BY t.id, t.name ORDER BY t.name`,
      [projectId],
    );
  }

  async series(projectId: string): Promise<SeriesCount[]> {
    return this.database.query<SeriesCount>(
      `SELECT s.id, s.name, count(d.id)::int AS "documentCount", max(d.series_ordinal) AS "highestOrdinal"
       FROM documents.series s LEFT JOIN documents.document d ON d.series_id = s.id
       WHERE s.project_id = $1 GROUP BY s.id, s.name, s.normalized_name ORDER BY s.normalized_name`,
      [projectId],
    );
  }
}
