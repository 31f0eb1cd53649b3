import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Given } from '../../domain/texts.js';
import { ChangeDocument } from './change-document.js';

/** Gives a document its place in a series; neither part takes it out. @throws InvalidInput; DomainError `not-found`, `taken`. */
@Injectable()
export class SetDocumentSeries {
  constructor(private readonly change: ChangeDocument) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly documentId?: Given<string>;
      readonly series?: Given<string>;
      readonly seriesOrdinal?: Given<number>;
    },
  ): Promise<{
    readonly documentId: string;
    readonly series: string | null;
    readonly seriesOrdinal: number | null;
  }> {
    const { projectId, documentId, seriesOrdinal } = input;
    const series = input.series ?? '';
    const after = await this.change.execute(actor, { projectId, documentId, series, seriesOrdinal });
    return { documentId: after.documentId, series: after.series, seriesOrdinal: after.seriesOrdinal };
  }
}
