import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { DeleteExport } from '../../application/commands/delete-export.js';
import { DownloadExport } from '../../application/commands/download-export.js';
import { RequestExport } from '../../application/commands/request-export.js';
import { type ExportView, ListExports } from '../../application/queries/list-exports.js';

/** Exports of the data of the signed-in person (`platform.md` 12). */
@Controller('api/account/exports')
@RequireFlag('exports.enabled')
@UseGuards(SessionGuard, FlagGuard)
export class ExportsController {
  constructor(
    private readonly list: ListExports,
    private readonly request: RequestExport,
    private readonly remove: DeleteExport,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  show(@CurrentActor() actor: PersonActor): Promise<{ exports: ExportView[]; workerSeemsDown: boolean }> {
    return this.list.execute(actor);
  }

  @Post()
  @HttpCode(202)
  ask(@CurrentActor() actor: PersonActor): Promise<{ id: string }> {
    return this.request.execute(actor);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<void> {
    await this.remove.execute(actor, { id: knownExport(id) });
  }
}

/** The archive itself: not below `/api`, since a person follows this link. It works also while no new one can be asked for. */
@Controller('account/exports')
@UseGuards(SessionGuard)
export class ExportDownloadController {
  constructor(private readonly download: DownloadExport) {}

  @Get(':id/download')
  @Header('Cache-Control', 'no-store')
  @Header('X-Content-Type-Options', 'nosniff')
  async file(
    @CurrentActor() actor: PersonActor,
    @Param('id') id: string,
    @Query('token') token: unknown,
  ): Promise<StreamableFile> {
    if (typeof token !== 'string') throw notFound('Export');
    const { content, bytes } = await this.download.execute(actor, { id: knownExport(id), token });
    return new StreamableFile(content, {
      type: 'application/zip',
      disposition: 'attachment; filename="loupe-data.zip"',
      length: bytes,
    });
  }
}

function knownExport(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw notFound('Export');
  return id.toLowerCase();
}
