import type { SeriesPlace } from '../../domain/labels.js';

export interface SeriesFacts {
  readonly id: string;
  readonly name: string;
}

/** Tags, series and references of documents. Names are made on first use; two at once make one row. */
export abstract class LabelRepository {
  abstract tagsOf(documentId: string): Promise<string[]>;
  /** Replaces the whole set. */
  abstract setTags(projectId: string, documentId: string, tags: readonly string[]): Promise<void>;
  abstract referencesOf(documentId: string): Promise<string[]>;
  /** Replaces the whole set. @throws InvalidInput on `references` for ids that are no documents of the project. */
  abstract setReferences(projectId: string, documentId: string, targets: readonly string[]): Promise<void>;
  /**
   * Gives the document its place, or takes it out with null.
   * @throws DomainError `taken` on `seriesOrdinal`, naming the holder and the next free position.
   */
  abstract place(
    projectId: string,
    documentId: string,
    place: SeriesPlace | null,
  ): Promise<{ readonly series: SeriesFacts; readonly ordinal: number } | null>;
  abstract seriesById(projectId: string, seriesId: string): Promise<SeriesFacts | null>;
  abstract seriesByName(projectId: string, name: string): Promise<SeriesFacts | null>;
  abstract seriesNames(projectId: string): Promise<string[]>;
  /** False when another series of the project has the name; it is never merged. */
  abstract renameSeries(seriesId: string, name: string): Promise<boolean>;
  abstract seriesSize(seriesId: string): Promise<number>;
}
