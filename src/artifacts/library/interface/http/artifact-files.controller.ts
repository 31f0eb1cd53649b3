import { Controller, Get, Param, Query, Req, Res, StreamableFile, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { optionalNumber, optionalText, projectId, versionNumber } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ArtifactBlobs } from '../../application/ports/artifact-blobs.js';
import { CompareVersions } from '../../application/queries/compare-versions.js';
import { DiffFile } from '../../application/queries/diff-file.js';
import { FindVersionFile, GetVersionTree } from '../../application/queries/get-version-tree.js';
import type { ManifestFile } from '../../domain/artifact-types.js';
import { artifactId } from './library-values.js';

/** Files are hostile: opened by themselves they may load nothing, run nothing and reach nothing of the product. */
const NOTHING = "default-src 'none'; sandbox";

/** Files of versions, their bytes, and what differs between two. */
@Controller('api/projects/:projectId/artifacts/:id')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class ArtifactFilesController {
  constructor(
    private readonly findFile: FindVersionFile,
    private readonly getTree: GetVersionTree,
    private readonly compareVersions: CompareVersions,
    private readonly diffFile: DiffFile,
    private readonly blobs: ArtifactBlobs,
  ) {}

  @Get('files/:number')
  async file(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Param('number', versionNumber) version: number,
    @Query('path', optionalText) path: string | null,
    @Query('raw', optionalText) raw: string | null,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<StreamableFile | undefined> {
    const file = await this.findFile.execute(actor, {
      projectId: project,
      artifactId: id,
      version,
      path: path ?? '',
    });
    if (!file) throw new DomainError('not-found', 'not_found', 'The version has no file of this path.');
    const etag = `"${file.sha256}"`;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Content-Security-Policy', NOTHING);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.headers['if-none-match'] === etag) {
      response.status(304);
      return undefined;
    }
    return new StreamableFile(await this.blobs.open(file.sha256), {
      type: shownType(file),
      disposition: disposition(file, raw !== null && raw !== '0'),
      length: file.bytes,
    });
  }

  @Get('tree')
  async tree(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Query('version', optionalNumber) version: number | null,
  ) {
    return this.getTree.execute(actor, { projectId: project, artifactId: id, version });
  }

  @Get('compare')
  async compare(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Query('from', optionalNumber) from: number | null,
    @Query('to', optionalNumber) to: number | null,
  ) {
    return this.compareVersions.execute(actor, { projectId: project, artifactId: id, from, to });
  }

  @Get('diff')
  async diff(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', artifactId) id: string,
    @Query('from', optionalNumber) from: number | null,
    @Query('to', optionalNumber) to: number | null,
    @Query('path', optionalText) path: string | null,
  ) {
    return this.diffFile.execute(actor, { projectId: project, artifactId: id, from, to, path });
  }
}

/** Only pictures that cannot run anything are sent as what they are. */
function shownType({ kind, contentType }: ManifestFile): string {
  if (kind === 'text') return 'text/plain; charset=utf-8';
  return kind === 'image' ? contentType : 'application/octet-stream';
}

function disposition({ path, kind }: ManifestFile, raw: boolean): string {
  if (!raw && kind !== 'binary') return 'inline';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
