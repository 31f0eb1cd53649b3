import { Body, Controller, Get, Header, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { optionalNumber, optionalText, projectId, versionNumber } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ReviseDocument } from '../../application/commands/revise-document.js';
import { CompareVersions } from '../../application/queries/compare-versions.js';
import { GetDownload } from '../../application/queries/get-download.js';
import { GetReviewPage } from '../../application/queries/get-review-page.js';
import { ListVersions } from '../../application/queries/list-versions.js';
import { documentId } from './document-values.js';
import { ReviseDocumentBody } from './documents.dto.js';

/** The review page, versions of a document and what changed between them (`documents.md` 9.7). */
@Controller('api/projects/:projectId/documents/:id')
@UseGuards(SessionGuard)
export class VersionsController {
  constructor(
    private readonly reviewPage: GetReviewPage,
    private readonly listVersions: ListVersions,
    private readonly getDownload: GetDownload,
    private readonly compareVersions: CompareVersions,
    private readonly reviseDocument: ReviseDocument,
  ) {}

  @Get('review')
  async review(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Query('version', optionalText) version: string | null,
  ) {
    return this.reviewPage.execute(actor, {
      projectId: project,
      documentId: id,
      version: version === null ? undefined : versionNumber.transform(version, { type: 'query' }),
    });
  }

  @Get('versions')
  async versions(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
  ) {
    return this.listVersions.execute(actor, { projectId: project, documentId: id });
  }

  @Get('versions/:number.md')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  async download(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('number', versionNumber) version: number,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<string> {
    const file = await this.getDownload.execute(actor, { projectId: project, documentId: id, version });
    response.setHeader('Content-Disposition', `attachment; filename="${file.fileName}"`);
    return file.markdown;
  }

  @Get('versions/:number')
  async version(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('number', versionNumber) version: number,
  ) {
    return this.reviewPage.execute(actor, { projectId: project, documentId: id, version });
  }

  @Get('diff')
  async diff(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Query('from', optionalNumber) from: number | null,
    @Query('to', optionalNumber) to: number | null,
    @Query('view', optionalText) view: string | null,
  ) {
    return this.compareVersions.execute(actor, { projectId: project, documentId: id, from, to, view });
  }

  @Post('versions')
  async revise(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: ReviseDocumentBody,
  ) {
    const {
      documentId: _,
      reviewUrl: __,
      ...revised
    } = await this.reviseDocument.execute(actor, {
      ...body,
      projectId: project,
      documentId: id,
    });
    return revised;
  }
}
