import { Injectable } from '@nestjs/common';
import { conflict, InvalidInput } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { brokenConstraint, Database } from '#libs/persistence/database.js';
import { LabelRepository, type SeriesFacts } from '../application/ports/label-repository.js';
import { normalisedName, type SeriesPlace } from '../domain/labels.js';
import { SERIES_ORDINAL_MAX } from '../domain/limits.js';

@Injectable()
export class PostgresLabelRepository extends LabelRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {
    super();
  }

  override async tagsOf(documentId: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
       WHERE dt.document_id = $1 ORDER BY t.name`,
      [documentId],
    );
    return rows.map((row) => row.name);
  }

  override async setTags(projectId: string, documentId: string, tags: readonly string[]): Promise<void> {
    // Names in order, so that two documents taking the same new tags never wait for each other in a circle.
    const names = [...tags].sort();
    await this.database.query(
      `INSERT INTO documents.tag (id, project_id, name)
       SELECT n.id, $1, n.name FROM unnest($2::uuid[], $3::text[]) AS n (id, name)
       WHERE NOT EXISTS (SELECT 1 FROM documents.tag t WHERE t.project_id = $1 AND t.name = n.name)
       ON CONFLICT ON CONSTRAINT tag_name DO NOTHING`,
      [projectId, names.map(() => this.ids.next()), names],
    );
    await this.database.query(
      `DELETE FROM documents.document_tag dt USING documents.tag t
       WHERE dt.document_id = $1 AND t.id = dt.tag_id AND t.name <> ALL ($2::text[])`,
      [documentId, names],
    );
    await this.database.query(
      `INSERT INTO documents.document_tag (document_id, tag_id)
       SELECT $1, id FROM documents.tag WHERE project_id = $2 AND name = ANY($3::text[]) ORDER BY id
       ON CONFLICT DO NOTHING`,
      [documentId, projectId, names],
    );
  }

  override async referencesOf(documentId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT target_id AS id FROM documents.document_reference WHERE document_id = $1 ORDER BY position',
      [documentId],
    );
    return rows.map((row) => row.id);
  }

  override async setReferences(
    projectId: string,
    documentId: string,
    targets: readonly string[],
  ): Promise<void> {
    const known = await this.database.query<{ id: string }>(
      'SELECT id FROM documents.document WHERE project_id = $1 AND id = ANY($2::uuid[])',
      [projectId, targets],
    );
    const missing = targets.filter((target) => !known.some(({ id }) => id === target));
    if (missing.length > 0)
      throw new InvalidInput([
        { argument: 'references', sentence: `Not found or not accessible: ${missing.join(', ')}.` },
      ]);
    await this.database.query('DELETE FROM documents.document_reference WHERE document_id = $1', [
      documentId,
    ]);
    await this.database.query(
      `INSERT INTO documents.document_reference (document_id, target_id, position)
       SELECT $1, n.id, n.position FROM unnest($2::uuid[]) WITH ORDINALITY AS n (id, position)`,
      [documentId, targets],
    );
  }

  override async place(
    projectId: string,
    documentId: string,
    place: SeriesPlace | null,
  ): Promise<{ series: SeriesFacts; ordinal: number } | null> {
    const series = place && (await this.seriesNamed(projectId, place.name));
    try {
      await this.database.savepoint(() =>
        this.database.query(
          'UPDATE documents.document SET series_id = $2, series_ordinal = $3 WHERE id = $1',
          [documentId, series?.id ?? null, place?.ordinal ?? null],
        ),
      );
    } catch (error) {
      if (brokenConstraint(error) !== 'document_series_position' || !series || !place) throw error;
      throw await this.taken(series.id, place.ordinal);
    }
    return series && place && { series, ordinal: place.ordinal };
  }

  override async seriesById(projectId: string, seriesId: string): Promise<SeriesFacts | null> {
    return this.database.one<SeriesFacts>(
      'SELECT id, name FROM documents.series WHERE project_id = $1 AND id = $2',
      [projectId, seriesId],
    );
  }

  override async seriesByName(projectId: string, name: string): Promise<SeriesFacts | null> {
    return this.database.one<SeriesFacts>(
      'SELECT id, name FROM documents.series WHERE project_id = $1 AND normalized_name = $2',
      [projectId, normalisedName(name)],
    );
  }

  override async seriesNames(projectId: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'SELECT name FROM documents.series WHERE project_id = $1 ORDER BY normalized_name',
      [projectId],
    );
    return rows.map((row) => row.name);
  }

  override async renameSeries(seriesId: string, name: string): Promise<boolean> {
    try {
      await this.database.savepoint(() =>
        this.database.query('UPDATE documents.series SET name = $2, normalized_name = $3 WHERE id = $1', [
          seriesId,
          name,
          normalisedName(name),
        ]),
      );
      return true;
    } catch (error) {
      if (brokenConstraint(error) === 'series_name') return false;
      throw error;
    }
  }

  override async seriesSize(seriesId: string): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      'SELECT count(*)::int AS n FROM documents.document WHERE series_id = $1',
      [seriesId],
    );
    return row?.n ?? 0;
  }

  /** The series of that name, made on first use. */
  private async seriesNamed(projectId: string, name: string): Promise<SeriesFacts> {
    const there = await this.seriesByName(projectId, name);
    if (there) return there;
    await this.database.query(
      `INSERT INTO documents.series (id, project_id, name, normalized_name, created_at)
       VALUES ($1, $2, $3, $4, now()) ON CONFLICT ON CONSTRAINT series_name DO NOTHING`,
      [this.ids.next(), projectId, name, normalisedName(name)],
    );
    return (await this.seriesByName(projectId, name))!;
  }

  private async taken(seriesId: string, ordinal: number): Promise<Error> {
    const holder = await this.database.one<{ id: string; title: string }>(
      'SELECT id, title FROM documents.document WHERE series_id = $1 AND series_ordinal = $2',
      [seriesId, ordinal],
    );
    const last = await this.database.one<{ highest: number }>(
      'SELECT max(series_ordinal) AS highest FROM documents.document WHERE series_id = $1',
      [seriesId],
    );
    const free = (last?.highest ?? 0) + 1;
    const next = free > SERIES_ORDINAL_MAX ? '' : ` The next free one is ${free}.`;
    return conflict(
      'taken',
      `Position ${ordinal} of that series is held by "${holder?.title}" (${holder?.id}).${next}`,
      { argument: 'seriesOrdinal' },
    );
  }
}
