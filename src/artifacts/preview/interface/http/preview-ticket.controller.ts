import { Controller, Get, Header, Param, Query, Req } from '@nestjs/common';
import type { HttpRequest } from '#libs/http/exchange.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { GetPreviewTicket, type PreviewFrame } from '../../application/queries/get-preview-ticket.js';
import { TicketQuery } from './publishing.dto.js';

/** Addresses for frames. Without a session only for public artifacts, so the use case decides about the sign-in. */
@Controller('api/projects/:projectId/artifacts/:artifactId/preview-ticket')
export class PreviewTicketController {
  constructor(private readonly tickets: GetPreviewTicket) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async ticket(
    @Param('projectId') projectId: string,
    @Param('artifactId') artifactId: string,
    @Query(inputPipe) { version }: TicketQuery,
    @Req() request: HttpRequest,
  ): Promise<PreviewFrame> {
    const person = request.loupe?.person?.actor ?? null;
    if (person !== null && !isUuid(projectId)) throw notFound('Project');
    return this.tickets.execute(person, { artifactId, projectId: projectId.toLowerCase(), version });
  }
}
