import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, DomainError, notFound, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { quoted } from '#libs/kernel/text.js';
import { readSeriesName, tidied } from '../../domain/labels.js';
import type { Given } from '../../domain/texts.js';
import { LabelRepository, type SeriesFacts } from '../ports/label-repository.js';

export interface RenameSeriesInput {
  readonly projectId: string;
  /** By name, ignoring case; or by id. */
  readonly series?: Given<string>;
  readonly seriesId?: Given<string>;
  readonly newName?: Given<string>;
}

/**
 * A new name for a series; positions stay, and two series are never merged.
 * @throws InvalidInput for an unknown or a blank name; DomainError `taken`.
 */
@Injectable()
export class RenameSeries {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly labels: LabelRepository,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  async execute(
    actor: Actor,
    input: RenameSeriesInput,
  ): Promise<{ readonly id: string; readonly series: string; readonly documentCount: number }> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const problems = new Problems();
    const name = readSeriesName(problems, 'newName', input.newName);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const series = await this.find(input);
      if (series.name !== name) {
        if (!(await this.labels.renameSeries(series.id, name)))
          throw conflict('taken', 'The project already has a series of that name.', { argument: 'newName' });
        await this.audit.record(actor, {
          operation: 'series.renamed',
          subjectType: 'series',
          subjectId: series.id,
          projectId,
        });
        await this.live.publish(`project:${projectId}:documents`, { type: 'list', subjectId: series.id });
      }
      return { id: series.id, series: name, documentCount: await this.labels.seriesSize(series.id) };
    });
  }

  private async find(input: RenameSeriesInput): Promise<SeriesFacts> {
    if (input.seriesId != null) {
      const series = await this.labels.seriesById(input.projectId, input.seriesId);
      if (!series) throw notFound('Series');
      return series;
    }
    const wanted = tidied(input.series ?? '');
    const series = await this.labels.seriesByName(input.projectId, wanted.replaceAll('\u0000', ''));
    if (series) return series;
    const names = await this.labels.seriesNames(input.projectId);
    const list = names.length === 0 ? 'The project has none.' : `The series are: ${names.join(', ')}.`;
    throw new DomainError('not-found', 'not_found', `No series named ${quoted(wanted)}. ${list}`, {
      argument: 'series',
    });
  }
}
