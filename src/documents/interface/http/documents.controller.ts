import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { KnownIdPipe, optionalNumber, optionalText, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ArchiveDocument } from '../../application/commands/archive-document.js';
import { ChangeDocument } from '../../application/commands/change-document.js';
import { CreateDocument } from '../../application/commands/create-document.js';
import { MarkDocumentRead } from '../../application/commands/mark-document-read.js';
import { PublishDocument } from '../../application/commands/publish-document.js';
import { RenameSeries } from '../../application/commands/rename-series.js';
import { UnarchiveDocument } from '../../application/commands/unarchive-document.js';
import { GetDocumentDetails } from '../../application/queries/get-document-details.js';
import { ListDocumentsPage } from '../../application/queries/list-documents-page.js';
import { ListSeries } from '../../application/queries/list-series.js';
import { ListTags } from '../../application/queries/list-tags.js';
import { PreviewMarkdown } from '../../application/queries/preview-markdown.js';
import { documentId } from './document-values.js';
import {
  ArchiveBody,
  ChangeDocumentBody,
  CreateDocumentBody,
  PreviewBody,
  ReadBody,
  RenameSeriesBody,
} from './documents.dto.js';

/** Documents for the browser: list, new, and what stands around the text (`documents.md` 9.7). */
@Controller('api/projects/:projectId/documents')
@UseGuards(SessionGuard)
export class DocumentsController {
  constructor(
    private readonly listPage: ListDocumentsPage,
    private readonly listTags: ListTags,
    private readonly listSeries: ListSeries,
    private readonly details: GetDocumentDetails,
    private readonly createDocument: CreateDocument,
    private readonly previewMarkdown: PreviewMarkdown,
    private readonly changeDocument: ChangeDocument,
    private readonly publishDocument: PublishDocument,
    private readonly archiveDocument: ArchiveDocument,
    private readonly unarchiveDocument: UnarchiveDocument,
    private readonly markRead: MarkDocumentRead,
    private readonly renameSeries: RenameSeries,
  ) {}

  @Get()
  async list(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Query('q', optionalText) q: string | null,
    @Query('status', optionalText) status: string | null,
    @Query('tag', optionalText) tag: string | null,
    @Query('series', optionalText) series: string | null,
    @Query('archived', optionalText) archived: string | null,
    @Query('waiting', optionalText) waiting: string | null,
    @Query('page', optionalNumber) page: number | null,
  ) {
    return this.listPage.execute(actor, {
      projectId: project,
      q,
      status,
      tag,
      series,
      archived: archived === 'true' || archived === '1',
      waiting: waiting === 'true' || waiting === '1',
      page,
    });
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: CreateDocumentBody,
  ) {
    const created = await this.createDocument.execute(actor, {
      ...body,
      projectId: project,
      draft: body.draft ?? true,
    });
    const { documentId: id, version, status, warnings } = created;
    return { id, version, status, warnings };
  }

  @Post('preview')
  @HttpCode(200)
  async preview(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Body(inputPipe) body: PreviewBody,
  ) {
    return this.previewMarkdown.execute(actor, { projectId: project, markdown: body.markdown });
  }

  @Get('tags')
  async tags(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.listTags.execute(actor, { projectId: project });
  }

  @Get('series')
  async series(@CurrentActor() actor: Actor, @Param('projectId', projectId) project: string) {
    return this.listSeries.execute(actor, { projectId: project });
  }

  @Patch('series/:seriesId')
  async renameOneSeries(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('seriesId', new KnownIdPipe('Series')) seriesId: string,
    @Body(inputPipe) body: RenameSeriesBody,
  ) {
    const { id, series, documentCount } = await this.renameSeries.execute(actor, {
      projectId: project,
      seriesId,
      newName: body.name,
    });
    return { id, name: series, documentCount };
  }

  @Get(':id')
  async get(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
  ) {
    return this.details.execute(actor, { projectId: project, documentId: id });
  }

  @Patch(':id')
  async change(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: ChangeDocumentBody,
  ) {
    await this.changeDocument.execute(actor, {
      ...body,
      series: body.series === null ? '' : body.series,
      projectId: project,
      documentId: id,
    });
    return this.details.execute(actor, { projectId: project, documentId: id });
  }

  @Post(':id/publish')
  @HttpCode(200)
  async publish(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
  ) {
    await this.publishDocument.execute(actor, { projectId: project, documentId: id });
    return this.state(actor, project, id);
  }

  @Post(':id/archive')
  @HttpCode(200)
  async archive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: ArchiveBody,
  ) {
    await this.archiveDocument.execute(actor, { projectId: project, documentId: id, reason: body.reason });
    return this.state(actor, project, id);
  }

  @Post(':id/unarchive')
  @HttpCode(200)
  async unarchive(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
  ) {
    await this.unarchiveDocument.execute(actor, { projectId: project, documentId: id });
    return this.state(actor, project, id);
  }

  @Post(':id/read')
  @HttpCode(204)
  async read(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: ReadBody,
  ): Promise<void> {
    await this.markRead.execute(actor, { projectId: project, documentId: id, version: body.version });
  }

  private async state(actor: Actor, project: string, id: string) {
    const { status, archived } = await this.details.execute(actor, { projectId: project, documentId: id });
    return { id, status, archived };
  }
}
